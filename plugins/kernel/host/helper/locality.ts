// Where a session is at home: the time zone and the locale in which its first cell ran. A program reads them all the time
// without asking anyone (`getHours`, `toLocaleString`), so a session keeps them wherever it is brought back.
import type { HistoryEntry } from '../../../journal/types.ts'

export interface Locality {
  /** IANA name, for example `Europe/Berlin`. */
  readonly timeZone: string
  /** BCP 47 tag, for example `de-DE`. */
  readonly locale: string
}

/** Of this process, now. */
export function currentLocality(): Locality {
  const { timeZone, locale } = new Intl.DateTimeFormat().resolvedOptions()
  return { timeZone, locale }
}

/** What a history says; undefined when it says nothing, or nothing that this machine knows. */
export function localityOf(entry: HistoryEntry): Locality | undefined {
  if (entry.kind !== 'cell-opened') return undefined
  const { timeZone, locale } = entry
  if (typeof timeZone !== 'string' || typeof locale !== 'string') return undefined
  try {
    new Intl.DateTimeFormat(locale, { timeZone })
    return { timeZone, locale }
  } catch {
    return undefined
  }
}

export const isSameLocality = (one: Locality, other: Locality): boolean => one.timeZone === other.timeZone && one.locale === other.locale

/** The environment variables by which a process of Node comes to be at home there. */
export function localityVariables({ timeZone, locale }: Locality): { readonly TZ: string, readonly LC_ALL: string } {
  return { TZ: timeZone, LC_ALL: locale.endsWith('posix') ? 'C' : `${locale.replaceAll('-', '_')}.UTF-8` }
}
