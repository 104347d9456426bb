import { expect } from 'chai';
import { cursorOf, readCursor } from '../../../api/http/cursor.ts';
import type { Caller } from '../../../api/middleware/authenticate.ts';
import { Problem } from '../../../domain/shared/problems.ts';

const caller = { tenantId: 'ten_1', mode: 'test' } as Caller;

describe('A cursor', () => {
  it('is refused by another list, tenant or mode, and when it is changed', () => {
    const cursor = cursorOf(caller, 'refunds', 'ref_1');
    const foreign: [Caller, list: string, cursor: string][] = [
      [caller, 'members', cursor],
      [{ ...caller, tenantId: 'ten_2' }, 'refunds', cursor],
      [{ ...caller, mode: 'live' }, 'refunds', cursor],
      [caller, 'refunds', `x${cursor}`],
      [caller, 'refunds', Buffer.from('ref_1').toString('base64url')],
      [caller, 'refunds', ''],
    ];
    for (const [who, list, sent] of foreign)
      expect(() => readCursor(who, list, sent, 'after'))
        .to.throw(Problem)
        .with.deep.property('fields', {
          after: 'must be the next_cursor of an earlier page of this list',
        });
  });
});
