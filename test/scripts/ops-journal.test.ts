import { expect } from 'chai';
import { ops } from '../../scripts/ops/program.ts';
import { emptyJournal, expectBooks } from '../support/books.ts';
import { paidCharge } from '../support/charges.ts';
import { runHere } from '../support/run-here.ts';
import { useStack } from '../support/stack.ts';
import { settingsOf } from './ops-fixture.ts';

describe('npm run ops -- journal backfill', () => {
  const stack = useStack();
  const backfill = (args: string[] = [], stopped?: AbortSignal) =>
    runHere(ops, ['journal', 'backfill', ...args], settingsOf(stack), stopped);

  it('ends with a sentence, and goes on where it was stopped', async () => {
    const { db } = stack.context;
    await paidCharge(stack);
    await emptyJournal(db);
    const stopped = await backfill([], AbortSignal.abort());
    expect(stopped).to.include({ code: 1, stdout: '' });
    expect(stopped.stderr).to.equal(
      'Stopped after 1 charges and 0 settlements. Run it again to go on.\n',
    );
    expect(await backfill()).to.deep.equal({
      ...{ code: 0, stderr: '' },
      stdout: 'The journal has every movement of money on record: it lacked nothing.\n',
    });
    await emptyJournal(db);
    expect((await backfill()).stdout).to.equal(
      'The journal has every movement of money on record: it lacked those of 1 charges and 0 settlements.\n',
    );
    const again = await backfill(['--json']);
    expect(JSON.parse(again.stdout)).to.deep.equal({ charges: 0, settlements: 0 });
    await expectBooks(db);
  });
});
