import { expect } from 'chai';
import { monnifyDate } from '../../../../domain/providers/monnify/wire.ts';

describe("Monnify's dates", () => {
  const dates: [text: string, utc: string][] = [
    ['25/07/2022 11:20:20 AM', '2022-07-25T10:20:20.000Z'],
    ['17/11/2021 3:48:10 PM', '2021-11-17T14:48:10.000Z'],
    ['11/11/2021 02:29:00 PM', '2021-11-11T13:29:00.000Z'],
    ['01/02/2026 12:00:00 AM', '2026-01-31T23:00:00.000Z'],
    ['01/02/2026 12:00:00 PM', '2026-02-01T11:00:00.000Z'],
    ['1/2/2026 9:05:07 pm', '2026-02-01T20:05:07.000Z'],
    ['17/11/2021 3:48:10\u202fPM', '2021-11-17T14:48:10.000Z'],
    ['2021-11-17 11:28:42.615', '2021-11-17T10:28:42.615Z'],
    ['2021-04-14 16:30:01.0', '2021-04-14T15:30:01.000Z'],
    ['2021-11-17 00:28:42', '2021-11-16T23:28:42.000Z'],
    ['2021-11-17T11:28:42', '2021-11-17T10:28:42.000Z'],
    ['2021-11-17T11:28:42.615+0000', '2021-11-17T11:28:42.615Z'],
    ['2021-11-17T11:28:42+01:00', '2021-11-17T10:28:42.000Z'],
    ['2021-11-17T11:28:42Z', '2021-11-17T11:28:42.000Z'],
  ];
  for (const [text, utc] of dates) {
    it(`are in Lagos time unless they say otherwise: ${text}`, () => {
      expect(monnifyDate(text)?.toISOString()).to.equal(utc);
    });
  }

  it('are none where they are none, or could be read in two ways', () => {
    const none = [
      null,
      undefined,
      7,
      {},
      '',
      'yesterday',
      '2021',
      '2021-11-17',
      '23/05/2019 06:21:33',
      '31/02/2026 1:00:00 PM',
    ];
    for (const value of [
      ...none,
      '07/25/2022 11:20:20 AM',
      '17/11/2021 25:48:10 PM',
      '2021-13-01 00:00:00',
      '2021-11-17 25:00:00',
    ]) {
      expect(monnifyDate(value), String(value)).to.equal(null);
    }
  });
});
