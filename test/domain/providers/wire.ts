import { expect } from 'chai';
import nock from 'nock';
import { ProviderError, type ProviderErrorKind } from '../../../domain/providers/provider.ts';

// Importing nock patches HTTP for the whole process; other tests talk to real servers.
nock.restore();

/**
 * Makes every call to the outside in this describe block nock's: what is not expected fails, and
 * what is expected must come.
 */
export function onTheWire(): void {
  before(() => {
    nock.activate();
    nock.disableNetConnect();
  });
  afterEach(() => {
    const missing = nock.pendingMocks();
    nock.cleanAll();
    expect(missing, 'calls that were never made').to.deep.equal([]);
  });
  after(() => {
    nock.enableNetConnect();
    nock.restore();
  });
}

/** What a call fails with; fails the test when it does not, or not with a `ProviderError`. */
export async function errorOf(
  call: Promise<unknown>,
): Promise<{ kind: ProviderErrorKind; stage: string; message: string; retryAfterMs?: number }> {
  const error = await call.then(
    (value) => expect.fail(`answered ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  );
  if (!(error instanceof ProviderError)) throw error;
  const { kind, stage, message, retryAfterMs } = error;
  return { kind, stage, message, ...(retryAfterMs === null ? {} : { retryAfterMs }) };
}
