import { expect } from 'chai';
import { forEachTest } from '../../../support/for-each-test.ts';
import { basic, newKeys, openMonnify } from './monnify-fixture.ts';

const anyPath = '/api/v1/transactions/search';

describe("sandbox: Monnify's login", () => {
  const fixture = forEachTest(openMonnify);

  it('hands out the same token with less and less time left, and a new one once it has expired', async () => {
    const first = (await fixture.login()).body.responseBody;
    expect(first.expiresIn).to.equal(3600);
    expect(first.accessToken).to.match(/^eyJ[\w-]+\.[\w-]+\.[\w-]+$/);
    await fixture.pass(33_000);
    const again = (await fixture.login()).body.responseBody;
    expect(again).to.deep.equal({ ...first, expiresIn: 3567 });
    await fixture.pass(3_566_999);
    expect((await fixture.monnify('GET', anyPath)).status).to.equal(200);
    await fixture.pass(1);
    const expired = await fixture.monnify('GET', anyPath);
    expect([expired.status, expired.body]).to.deep.equal([
      401,
      { requestSuccessful: false, responseMessage: 'Access token expired', responseCode: '99' },
    ]);
    const second = (await fixture.login()).body.responseBody;
    expect(second.expiresIn).to.equal(3600);
    expect(second.accessToken).not.to.equal(first.accessToken);
    expect((await fixture.monnify('GET', anyPath)).status).to.equal(200);
  });

  it('answers simultaneous logins with one token', async () => {
    const atOnce = <T>(call: () => Promise<T>) => Promise.all(Array.from({ length: 20 }, call));
    // Logins are only simultaneous where their database connections are open already.
    await atOnce(() => fixture.monnify('GET', anyPath));
    await fixture.pass(3_600_000);
    const logins = await atOnce(() => fixture.login());
    expect(new Set(logins.map(({ body }) => body.responseBody.accessToken)).size).to.equal(1);
  });

  it('refuses keys it does not know, halves of two accounts, and no keys at all', async () => {
    const other = newKeys();
    const keys = { api_key: other.apiKey, secret_key: other.secretKey };
    await fixture.control('POST', '/accounts', {
      provider: 'monnify',
      ...keys,
      contract_code: '1',
    });
    expect((await fixture.login(other.apiKey, other.secretKey)).status).to.equal(200);
    const refused = { requestSuccessful: false, responseMessage: '', responseCode: 99 };
    for (const [apiKey, secretKey] of [
      [other.apiKey, fixture.secretKey],
      [fixture.apiKey, `${fixture.secretKey}X`],
      ['', ''],
    ] as const) {
      const { status, body } = await fixture.login(apiKey, secretKey);
      expect([status, body]).to.deep.equal([401, refused]);
    }
    for (const [method, path] of [
      ['POST', '/api/v1/auth/login'],
      ['GET', anyPath],
    ] as const) {
      const { status, body } = await fixture.provider(method, path);
      expect(status).to.equal(401);
      expect(body.responseMessage).to.equal('Unauthorized, supply authorization header');
    }
    const own = basic(fixture.apiKey, fixture.secretKey);
    for (const authorization of ['Bearer eyJhbGciOiJIUzI1NiJ9.e30.x', 'Bearer', own]) {
      const { status, body } = await fixture.provider('GET', anyPath, undefined, { authorization });
      expect(status).to.equal(401);
      expect(body.responseMessage).to.equal('Cannot convert access token to json');
    }
  });
});
