import { expect } from 'chai';
import type { Notification } from '../../../domain/providers/port/provider.ts';

const malformedBodies: readonly string[] = [
  '',
  'null',
  '[]',
  '"x"',
  '7',
  '{',
  '['.repeat(100_000),
  '{"a":'.repeat(100_000),
];

export function expectNothingRead(read: (body: Buffer) => Notification, own: string[]): void {
  const bodies = [...malformedBodies, ...own].map((text) => Buffer.from(text));
  for (const body of [...bodies, Buffer.from([0xff, 0xfe, 0x00, 0x80])])
    expect(read(body), body.toString().slice(0, 60)).to.deep.equal({
      ...{ event: 'unknown', about: 'other', references: [], paymentIds: [] },
    });
}

type Header = string | string[] | undefined;

interface Signed {
  body: string;
  signature: string;
  changed: string;
  foreign: string;
}

export function wronglySigned({
  body,
  signature,
  changed,
  foreign,
}: Signed): [what: string, body: string, signature: Header][] {
  return [
    ['one changed byte', changed, signature],
    ['one byte more', `${body} `, signature],
    ['equal JSON in other bytes', JSON.stringify(JSON.parse(body), null, 1), signature],
    ['the signature of another key', body, foreign],
    ['no signature', body, undefined],
    ['an empty signature', body, ''],
    ['half a signature', body, signature.slice(0, signature.length / 2)],
    ['a longer signature', body, `${signature}00`],
    ['a signature in capitals', body, signature.toUpperCase()],
    ['two signatures', body, [signature, signature]],
    ['a signature outside ASCII', body, 'é'.repeat(signature.length / 2)],
  ];
}
