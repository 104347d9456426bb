import { expect } from 'chai';
import { limitConcurrency } from '../../../domain/shared/limit-concurrency.ts';
import { Problem } from '../../../domain/shared/problems.ts';

function jobFactory() {
  const begun: { name: string; end: () => void; fail: () => void }[] = [];
  const work = (name: string) =>
    new Promise<string>((resolve, reject) =>
      begun.push({ name, end: () => resolve(name), fail: () => reject(new Error(name)) }),
    );
  return { begun, work, names: () => begun.map(({ name }) => name) };
}

describe('The bound on concurrent work', () => {
  it('runs so much at once; the rest waits, first come, first served', async () => {
    const { begun, work, names } = jobFactory();
    const results = ['a', 'b', 'c', 'd'].map(limitConcurrency(work, { running: 2, waiting: 9 }));
    expect(names()).to.deep.equal(['a', 'b']);
    begun[1]!.end();
    expect(await results[1]).to.equal('b');
    expect(names()).to.deep.equal(['a', 'b', 'c']);
    begun[0]!.end();
    expect(await results[0]).to.equal('a');
    expect(names()).to.deep.equal(['a', 'b', 'c', 'd']);
    for (const { end } of begun.slice(2)) end();
    expect(await Promise.all(results)).to.deep.equal(['a', 'b', 'c', 'd']);
  });

  it('refuses with 503 while too many wait, and accepts more after that', async () => {
    const { begun, work } = jobFactory();
    const few = limitConcurrency(work, { running: 1, waiting: 1 });
    const [first, second] = [few('a'), few('b')];
    const refused = await few('c').catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(Problem).and.include({ code: 'unavailable', status: 503 });
    begun[0]!.end();
    await first;
    const third = few('d');
    begun[1]!.end();
    await second;
    begun[2]!.end();
    expect(await third).to.equal('d');
  });

  it('continues after work that failed', async () => {
    const { begun, work } = jobFactory();
    const few = limitConcurrency(work, { running: 1, waiting: 1 });
    const failed = few('a').catch(({ message }: Error) => message);
    const next = few('b');
    begun[0]!.fail();
    expect(await failed).to.equal('a');
    begun[1]!.end();
    expect(await next).to.equal('b');
    const last = few('c');
    begun[2]!.end();
    expect(await last).to.equal('c');
  });
});
