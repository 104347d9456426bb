import { expect } from 'chai';
import { basic, newKeys, openMonnify } from './monnify-fixture.ts';

const anyPath = '/api/v1/transactions/search';

describe("sandbox: Monnify's login", () => {
  it('hands out the same token with less and less time left, and a new one once it has expired', async () => {
    await using fixture = await openMonnify();
    const first = (await fixture.login()).body;
    expect(first).to.include({
      requestSuccessful: true,
      responseMessage: 'success',
      responseCode: '0',
    });
    expect(first.responseBody.expiresIn).to.equal(3600);
    expect(first.responseBody.accessToken).to.match(/^eyJ[\w-]+\.[\w-]+\.[\w-]+$/);
    await fixture.pass(33_000);
    expect((await fixture.login()).body.responseBody).to.deep.equal({
      ...first.responseBody,
      expiresIn: 3567,
    });
    await fixture.pass(3_567_000);
    const second = (await fixture.login()).body.responseBody;
    expect(second.expiresIn).to.equal(3600);
    expect(second.accessToken).not.to.equal(first.responseBody.accessToken);
  });

  it('answers simultaneous logins with one token', async () => {
    await using fixture = await openMonnify();
    const atOnce = <T>(call: () => Promise<T>) => Promise.all(Array.from({ length: 20 }, call));
    // Logins are only simultaneous where their database connections are open already.
    await atOnce(() => fixture.monnify('GET', anyPath));
    await fixture.pass(3_600_000);
    const logins = await atOnce(() => fixture.login());
    const tokens = logins.map(({ body }) => body.responseBody.accessToken);
    expect(new Set(tokens).size).to.equal(1);
  });

  it('accepts the token until it expires, and then reports that; a new login helps', async () => {
    await using fixture = await openMonnify();
    await fixture.pass(3_599_999);
    expect((await fixture.monnify('GET', anyPath)).status).to.equal(200);
    await fixture.pass(1);
    const { status, body } = await fixture.monnify('GET', anyPath);
    expect(status).to.equal(401);
    expect(body).to.deep.equal({
      requestSuccessful: false,
      responseMessage: 'Access token expired',
      responseCode: '99',
    });
    await fixture.login();
    expect((await fixture.monnify('GET', anyPath)).status).to.equal(200);
  });

  it('expires all tokens early on request', async () => {
    await using fixture = await openMonnify();
    expect((await fixture.control('POST', '/expire-tokens', {})).body).to.deep.equal({
      expired: 1,
    });
    expect((await fixture.monnify('GET', anyPath)).body.responseMessage).to.equal(
      'Access token expired',
    );
    expect((await fixture.login()).body.responseBody.expiresIn).to.equal(3600);
    expect((await fixture.monnify('GET', anyPath)).status).to.equal(200);
  });

  it('refuses keys it does not know, halves of two accounts, and no keys at all', async () => {
    await using fixture = await openMonnify();
    const other = newKeys();
    const registration = {
      provider: 'monnify',
      api_key: other.apiKey,
      secret_key: other.secretKey,
      contract_code: '1',
    };
    await fixture.control('POST', '/accounts', registration);
    expect((await fixture.login(other.apiKey, other.secretKey)).status).to.equal(200);
    for (const [apiKey, secretKey] of [
      [other.apiKey, fixture.secretKey],
      [fixture.apiKey, `${fixture.secretKey}X`],
      ['', ''],
    ] as const) {
      const { status, body } = await fixture.login(apiKey, secretKey);
      expect(status).to.equal(401);
      expect(body).to.deep.equal({
        requestSuccessful: false,
        responseMessage: '',
        responseCode: 99,
      });
    }
    const missing = await fixture.provider('POST', '/api/v1/auth/login');
    expect(missing.status).to.equal(401);
    expect(missing.body.responseMessage).to.equal('Unauthorized, supply authorization header');
  });

  it('refuses every other call without a token, with one that never was, and with the keys instead', async () => {
    await using fixture = await openMonnify();
    expect((await fixture.provider('GET', anyPath)).body.responseMessage).to.equal(
      'Unauthorized, supply authorization header',
    );
    for (const authorization of [
      'Bearer eyJhbGciOiJIUzI1NiJ9.e30.x',
      'Bearer',
      basic(fixture.apiKey, fixture.secretKey),
    ]) {
      const { status, body } = await fixture.provider('GET', anyPath, undefined, { authorization });
      expect(status).to.equal(401);
      expect(body.responseMessage).to.equal('Cannot convert access token to json');
    }
  });
});
