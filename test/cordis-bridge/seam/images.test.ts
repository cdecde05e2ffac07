// Images between a host and the programs of a session.
import { expect } from 'chai'
import { imagesIn, imagesOf, withImages } from '../../../plugins/cordis-bridge/seam/images.ts'
import { sessionOf } from '../events.ts'

/** As later hosts hand them out. */
class PtcImage {
  readonly path: string
  readonly attachment: object
  constructor(path: string, attachment: object) { this.path = path; this.attachment = attachment }
}
const image = (id: string) => new PtcImage(`/${id}.png`, Object.freeze({ id, width: 2 }))
const output = (id: string) => ({ type: 'image', attachment: { id, width: 2 } })

async function answered(value: unknown, images: Map<string, object>): Promise<unknown> {
  const [binding] = withImages([{ global: 'tools', functions: { shot: async () => value }, errorClass: { name: 'E', memberNameProperty: 'm' } }], images)
  expect(binding).to.include({ global: 'tools' }).and.to.have.property('errorClass')
  return await binding!.functions.shot!({})
}

describe('an image', () => {
  it('reaches a program as a plain descriptor, wherever it is in an answer', async () => {
    const images = new Map<string, object>()
    const got = await answered({ all: [image('a'), 1], one: image('b'), none: null }, images)
    expect(got).to.deep.equal({ all: [{ path: '/a.png', attachment: { id: 'a', width: 2 } }, 1], one: { path: '/b.png', attachment: { id: 'b', width: 2 } }, none: null })
    expect(Object.getPrototypeOf((got as { one: object }).one)).to.equal(Object.prototype)
    expect(images.size).to.equal(2)
  })

  it('is given out when it is returned, alone or in a list, as the host\'s own', async () => {
    const images = new Map<string, object>()
    const own = image('a')
    const got = await answered(own, images)
    expect(imagesIn(JSON.parse(JSON.stringify(got)), images)).to.deep.equal([output('a')])
    expect(imagesIn(got, images)[0]!.attachment).to.equal(own.attachment)
    await answered(image('b'), images)
    expect(imagesIn([image('b'), 'text', image('a')], images)).to.deep.equal([output('b'), output('a')])
  })

  it('that the host has not handed out is a value like any other', () => {
    for (const value of [image('a'), { path: '/x', attachment: { id: 'a' }, more: 1 }, { path: 1, attachment: {} }, { path: '/x', attachment: [] }, 'text', undefined, [[image('a')]]]) {
      expect(imagesIn(value, new Map())).to.deep.equal([])
    }
  })

  it('is remembered by its session', () => {
    const [one, other] = [sessionOf([]), sessionOf([])]
    imagesOf(one).set('a', {})
    expect([imagesOf(one).size, imagesOf(other).size]).to.deep.equal([1, 0])
  })

  it('leaves objects of other classes as they are', async () => {
    const date = new Date(0)
    expect(await answered(date, new Map())).to.equal(date)
  })
})
