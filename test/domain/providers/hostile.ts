/** Bodies that no provider sends: not JSON, not objects, or deeper than anything. */
export const hostileBodies: readonly string[] = [
  '',
  'null',
  '[]',
  '"x"',
  '7',
  '{',
  '['.repeat(100_000),
  '{"a":'.repeat(100_000),
];

type Header = string | string[] | undefined;

/** A body as it was signed, and what somebody else may make of it. */
interface Signed {
  body: string;
  /** In lower-case hex. */
  signature: string;
  /** The body with one byte changed. */
  changed: string;
  /** The signature of another key. */
  foreign: string;
}

/** Every body with a signature that is not its own, named by what is wrong. */
export function wronglySigned({
  body,
  signature,
  changed,
  foreign,
}: Signed): [what: string, body: string, signature: Header][] {
  return [
    ['one changed byte', changed, signature],
    ['one more byte', `${body} `, signature],
    ['the same meaning in other bytes', JSON.stringify(JSON.parse(body), null, 1), signature],
    ['the signature of another key', body, foreign],
    ['no signature', body, undefined],
    ['an empty signature', body, ''],
    ['half a signature', body, signature.slice(0, signature.length / 2)],
    ['a signature and more', body, `${signature}00`],
    ['a signature in capitals', body, signature.toUpperCase()],
    ['two signatures', body, [signature, signature]],
    ['a signature outside ASCII', body, 'é'.repeat(signature.length / 2)],
  ];
}
