// The file source as another process makes it.
import { FileSource } from '../../plugins/journal/file-store.ts'

export const openSource = (options: { readonly dir: string }) => new FileSource(options)
