import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';

const story = fileURLToPath(new URL('fourth-provider/story.ts', import.meta.url));

/** A process of its own: the registry is read when modules load. */
describe('A fourth provider, added by one folder and one line of the registry', () => {
  let seen: Record<string, any>;
  before(async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [story], { timeout: 50_000 });
    seen = JSON.parse(stdout.trim().split('\n').at(-1)!);
  });

  it('is connected by its own credentials, and not by those of the other mode', () => {
    expect(seen.refused).to.deep.equal({ 'credentials.token': 'must begin with acme_test_' });
    expect(seen.connected).to.deep.include({ adapter: 'acme', provider: 'provider_a' });
  });

  it('is charged: created, verified and captured', () => {
    expect(seen.unpaid).to.equal('open');
    expect(seen.paid.status).to.equal('completed');
    expect(seen.paid.transaction).to.include({
      status: 'succeeded',
      amount_kobo: 250_000,
      channel: 'card',
    });
    expect(seen.paid.transaction.provider_reference).to.match(/^acme-SV-/);
  });

  it('is not asked about what it cannot do; its books are compared', () => {
    expect(seen.tasks).to.deep.equal([{ task: 'books' }]);
    expect(seen.failure).to.equal(null);
    expect(seen.report.overdue).to.deep.equal({ count: 0, kobo: 0 });
    expect(seen.report.discrepancies).to.deep.equal([]);
  });
});
