import { expect } from 'chai';
import { generateSync } from 'otplib';
import { confirmTotp, prepareTotp } from '../../../domain/accounts/second-factor/second-factor.ts';
import { hashPassword } from '../../../domain/accounts/token/credentials.ts';
import { auditOf } from '../../support/audit.ts';
import { whileHeld } from '../../support/contention.ts';
import { expectRefusal, expectRefused } from '../../support/contract.ts';
import { useMember } from '../../support/members.ts';
import { cheapPasswords } from '../../support/passwords.ts';
import { expectPage, titleOf } from '../../support/payment-links.ts';
import { rawRequest } from '../../support/raw-http.ts';
import { writingNothing } from '../../support/row-counts.ts';
import { useStack } from '../../support/stack.ts';
import { signIn, statusWith, trySignIn } from '../../support/tokens.ts';

const PASSWORD = 'correct horse battery';

describe('A link to set a password', () => {
  const stack = useStack({ workers: false });
  const owner = useMember(stack, 'owner');
  const member = useMember(stack, 'viewer');
  let email: string;
  beforeEach(() => {
    email = `${member.memberId}@test.example`;
  });

  const makeLink = () => owner.api.post(`/members/${member.memberId}/set-password-link`);
  const newPath = async () => new URL((await makeLink()).json.set_password_url).pathname;
  const FORM = 'application/x-www-form-urlencoded';
  const look = (path: string) => rawRequest(stack, { path });
  const post = (path: string, body: string, type = FORM) =>
    rawRequest(stack, { method: 'POST', path, headers: { 'content-type': type }, body });
  const send = (path: string, form: Record<string, string>) =>
    post(path, new URLSearchParams(form).toString());
  const setPassword = (path: string, password = PASSWORD) => send(path, { password });

  describe('is created by POST /members/{id}/set-password-link', () => {
    it('which answers 201 with the member and the link', async () => {
      const { status, json } = await makeLink();
      expect(status).to.equal(201);
      const { set_password_url: url, ...shown } = json;
      expect(url).to.match(/\/set-password\/[0-9a-z]{40}$/);
      expect(shown).to.deep.equal((await owner.api.get(`/members/${member.memberId}`)).json);
      expect(await auditOf(stack, member.memberId)).to.deep.equal([
        { actor: owner.memberId, action: 'member.link_made', detail: null },
      ]);
    });

    it('and voids earlier links', async () => {
      const old = await newPath();
      const latest = await newPath();
      expect(titleOf((await look(old)).text)).to.equal('This link no longer works');
      expect((await setPassword(old)).status).to.equal(410);
      expect((await setPassword(latest)).status).to.equal(200);
    });

    it('and leaves one valid of many simultaneous requests', async () => {
      const answers = await whileHeld(
        stack,
        (sql) => sql.query('select 1 from members where id = $1 for update', [member.memberId]),
        () => Array.from({ length: 6 }, () => makeLink()),
      );
      const paths = answers.map(({ json }) => new URL(json.set_password_url).pathname);
      const statuses = (await Promise.all(paths.map(look))).map(({ status }) => status);
      expect(statuses.sort()).to.deep.equal([200, ...Array(5).fill(410)]);
    });

    it('but not for a disabled member', async () => {
      await owner.api.remove(`/members/${member.memberId}`);
      await expectRefusal(stack, makeLink, 'invalid_state');
    });
  });

  it('shows a form with the member’s address, with headers that allow no cache, frame, referrer or script', async () => {
    const path = await newPath();
    const page = await writingNothing(stack, () => look(path));
    expectPage(page, 200, 'Set your password');
    for (const shown of ['Test Store', email, '<form method="post">'])
      expect(page.text).to.include(shown);
    expect(page.text).not.to.include('<script');
    expect(page.headers.get('content-security-policy')).to.match(
      /default-src 'none'.*form-action 'self';frame-ancestors 'none'/,
    );
    expect(page.headers.get('referrer-policy')).to.equal('no-referrer');
    expect(page.headers.get('cache-control')).to.equal('no-store');
    expect(page.headers.get('x-frame-options')).to.equal('DENY');
  });

  it('sets the password, with which the member signs in', async () => {
    const path = await newPath();
    expectRefused(await trySignIn(stack, { email, password: PASSWORD }), 'unauthorized');
    const page = await setPassword(path);
    expectPage(page, 200, 'Your password is set');
    expect(page.text).to.include('href="/dashboard/sign-in">Sign in</a>');
    expect(page.text).not.to.include(PASSWORD);
    await signIn(stack, { email, password: PASSWORD });
    const [{ password_hash: hash }] = await stack.sql<any>`select password_hash from members
      where id = ${member.memberId}`;
    expect(hash, 'hashed at the cost of the context').to.match(/^argon2id\$64\$1\$1\$/);
    expect((await owner.api.get(`/members/${member.memberId}`)).json.status).to.equal('active');
    const entry = { actor: member.memberId, action: 'member.password_set', detail: null };
    expect((await auditOf(stack, member.memberId)).at(-1)).to.deep.equal(entry);
  });

  it('drops an authenticator that was prepared and not confirmed, and keeps a confirmed one', async () => {
    const { inTx } = stack.context;
    const holder = { tenantId: stack.tenant.tenant_id, memberId: member.memberId };
    const secretOf = async () =>
      (await stack.sql`select totp_secret from members where id = ${member.memberId}`)[0]
        .totp_secret;
    const seen = await inTx((tx) => prepareTotp(tx, holder));
    await setPassword(await newPath());
    expect(await secretOf()).to.equal(null);
    const secret = await inTx((tx) => prepareTotp(tx, holder));
    expect(secret).not.to.equal(seen);
    const epoch = Math.floor(stack.clock().getTime() / 1_000);
    await inTx((tx) => confirmTotp(tx, holder, generateSync({ secret, epoch })));
    const sealed = await secretOf();
    await setPassword(await newPath());
    expect(await secretOf()).to.equal(sealed);
  });

  it('ends every sign-in of the member, and the old password is invalid', async () => {
    const hash = await hashPassword(PASSWORD, cheapPasswords);
    await stack.sql`update members set password_hash = ${hash} where id = ${member.memberId}`;
    const pair = await signIn(stack, { email, password: PASSWORD });
    const others = await signIn(stack, stack.tenant.owner);
    await setPassword(await newPath(), 'another long password');
    expect(await statusWith(stack, pair.access_token)).to.equal(401);
    expect(await statusWith(stack, member.token)).to.equal(401);
    expect(await statusWith(stack, others.access_token)).to.equal(404);
    expectRefused(await trySignIn(stack, { email, password: PASSWORD }), 'unauthorized');
    await signIn(stack, { email, password: 'another long password' });
  });

  it('works once', async () => {
    const path = await newPath();
    await setPassword(path);
    for (const again of [() => look(path), () => setPassword(path, 'another long password')]) {
      expectPage(await writingNothing(stack, again), 410, 'This link no longer works');
    }
    await signIn(stack, { email, password: PASSWORD });
  });

  it('works once for many simultaneous requests, and sets the password of that one', async () => {
    const path = await newPath();
    const passwords = ['first long password', 'second long password', 'third long password'];
    const pages = await whileHeld(
      stack,
      (sql) => sql.query('select 1 from members where id = $1 for update', [member.memberId]),
      () => passwords.map((password) => setPassword(path, password)),
    );
    expect(pages.map(({ status }) => status).sort()).to.deep.equal([200, 410, 410]);
    const password = passwords[pages.findIndex(({ status }) => status === 200)]!;
    await signIn(stack, { email, password });
  });

  it('shows the error beside the field, shows no password, and stays valid', async () => {
    const path = await newPath();
    const wrong: [password: string, says: string][] = [
      ['', 'Your password must have at least 12 characters.'],
      ['eleven char', 'Your password must have at least 12 characters.'],
      ['x'.repeat(201), 'Your password must have at most 200 characters.'],
      ['with a\ttab in it', 'Your password must be printable text.'],
      ['with a NUL\0 in it', 'Your password must be printable text.'],
    ];
    for (const [password, says] of wrong) {
      const page = await writingNothing(stack, () => setPassword(path, password));
      expectPage(page, 422, 'Set your password');
      expect(page.text)
        .to.include(`<p class="error" id="error">${says}</p>`)
        .and.include('aria-invalid="true"');
      if (password) expect(page.text).not.to.include(password);
    }
    for (const form of [{}, { secret: PASSWORD }] as Record<string, string>[])
      expect((await send(path, form)).status).to.equal(422);
    expect((await setPassword(path)).status).to.equal(200);
  });

  // The shortest, with characters that forms escape, and the longest, of letters of several bytes.
  for (const password of [' x & + %41  ', '🐘'.repeat(12) + 'ü'.repeat(188)]) {
    it(`accepts ${JSON.stringify(password.slice(0, 30))}`, async () => {
      expect((await setPassword(await newPath(), password)).status).to.equal(200);
      await signIn(stack, { email, password });
    });
  }

  it('is 404, in plain words, when it is unknown', async () => {
    for (const token of ['x', '0'.repeat(40), '%00', '', 'a/b', '%E0']) {
      const path = `/set-password/${token}`;
      for (const page of [await look(path), await setPassword(path)])
        expectPage(page, 404, 'There is no such link', path);
    }
  });

  it('answers malformed bodies with a page, not with a failure', async () => {
    const path = await newPath();
    const bodies: [string, string, number][] = [
      ['application/json', JSON.stringify({ password: PASSWORD }), 422],
      [FORM, `password=${PASSWORD}&password=${PASSWORD}`, 422],
      [FORM, `password=${'x'.repeat(200_000)}`, 413],
      [`${FORM}; charset=utf-7`, 'password=x', 415],
    ];
    for (const [type, body, status] of bodies) {
      const heading = status === 422 ? 'Set your password' : 'This could not be read';
      expectPage(await post(path, body, type), status, heading, type);
    }
  });

  it('never appears in a log, whatever happens', async () => {
    const lines: string[] = [];
    const { context } = stack;
    const write = { info: context.log.info, error: context.log.error };
    const note = (...args: unknown[]) => void lines.push(JSON.stringify(args));
    Object.assign(context.log, { info: note, error: note });
    const path = await newPath();
    const token = path.split('/').at(-1)!;
    const { transaction } = context.db;
    try {
      await look(path);
      await look(`${path}?again=1`);
      await look(path.toUpperCase());
      await setPassword(path, 'short');
      context.db.transaction = () => Promise.reject(new Error('the database fell over'));
      expectPage(await setPassword(path), 500, 'Something went wrong on our side');
    } finally {
      context.db.transaction = transaction;
      Object.assign(context.log, write);
    }
    expect(lines.length).to.be.greaterThan(5);
    expect(lines.join(), 'the failure is logged').to.include('fell over');
    for (const line of lines)
      expect(line.toLowerCase()).not.to.include(token).and.not.to.include(PASSWORD);
  });
});
