import { expect } from 'chai';
import { forEachTest } from '../../support/for-each-test.ts';
import { openFixture } from './fixture.ts';

const anyPath = '/api/v1/transactions/search';
const no = (responseMessage: string, responseCode: string | number = '99') => ({
  ...{ requestSuccessful: false, responseMessage, responseCode },
});

describe("sandbox: Monnify's login", () => {
  const fixture = forEachTest(() => openFixture({ provider: 'monnify' }));
  const logIn = async () => (await fixture.login()).body.responseBody;
  const search = () => fixture.call('GET', anyPath);

  it('hands out the same token with less and less time left, and a new one once it has expired', async () => {
    const first = await logIn();
    expect(first.expiresIn).to.equal(3600);
    expect(first.accessToken).to.match(/^eyJ[\w-]+\.[\w-]+\.[\w-]+$/);
    await fixture.pass(33_000);
    expect(await logIn()).to.deep.equal({ ...first, expiresIn: 3567 });
    await fixture.pass(3_566_999);
    expect((await search()).status).to.equal(200);
    await fixture.pass(1);
    expect(await search()).to.deep.include({ status: 401, body: no('Access token expired') });
    const logins = await Promise.all(Array.from({ length: 20 }, logIn));
    const [second, ...others] = new Set(logins.map(({ accessToken }) => accessToken));
    expect(others, 'one token for simultaneous logins').to.deep.equal([]);
    expect(second).not.to.equal(first.accessToken);
    expect((await search()).status).to.equal(200);
  });

  it('refuses keys it does not know, halves of two accounts, and no keys at all', async () => {
    const { api_key: apiKey, secret_key: other } = (await fixture.stranger()).keys;
    const { api_key: own, secret_key: secret } = fixture.keys;
    expect((await fixture.login(apiKey, other)).status).to.equal(200);
    for (const keys of [[apiKey, secret] as const, [own, `${secret}X`] as const, ['', ''] as const])
      expect(await fixture.login(...keys)).to.deep.include({ status: 401, body: no('', 99) });
    const unauthorized = { status: 401, body: no('Unauthorized, supply authorization header') };
    expect(await fixture.send('POST', '/api/v1/auth/login')).to.deep.include(unauthorized);
    expect(await fixture.send('GET', anyPath)).to.deep.include(unauthorized);
    const body = no('Cannot convert access token to json');
    for (const authorization of ['Bearer eyJhbGciOiJIUzI1NiJ9.e30.x', 'Bearer', 'Basic eDp5']) {
      const reply = await fixture.send('GET', anyPath, undefined, { authorization });
      expect(reply).to.deep.include({ status: 401, body });
    }
  });
});
