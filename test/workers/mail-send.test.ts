import { expect } from 'chai';
import type { SMTPServerOptions } from 'smtp-server';
import { writeMail } from '../../domain/mail/write-mail.ts';
import { sha256Of } from '../../domain/shared/sha256.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../domain/shared/units.ts';
import { startMailbox } from '../../scripts/local/mailbox.ts';
import { sendMail } from '../../workers/mail-send.ts';
import { runJob } from '../../workers/run-job.ts';
import { mailClientOf, mailSettings, useMailbox } from '../support/mailbox.ts';
import { memberOf } from '../support/members.ts';
import { useStack } from '../support/stack.ts';

/** An SMTP error with this code. */
const refusal = (responseCode: number, message: string) =>
  Object.assign(new Error(message), { responseCode });

describe('Mails', () => {
  const stack = useStack({ newTenants: true, workers: false, env: { mail: mailSettings } });
  const mailbox = useMailbox(stack);
  let memberId: string;

  beforeEach(async () => {
    ({ memberId } = await memberOf(stack, stack.tenant, 'developer'));
    stack.context.mail = mailClientOf(mailbox);
  });

  /** Writes a mail to the member; returns its row. */
  const written = async (expiresAt?: Date) => {
    const to = { tenantId: stack.tenant.tenant_id, mode: null, memberId, subjectId: memberId };
    const mail = { ...to, kind: 'invitation', token: 'one-time-token' } as const;
    const now = stack.clock();
    await stack.sql`insert into member_links (sha256, member_id, created_at, expires_at)
      values (${sha256Of('one-time-token')}, ${memberId}, ${now}, ${new Date(now.getTime() + DAY_MS)})
      on conflict (sha256) do update
        set member_id = excluded.member_id, expires_at = excluded.expires_at`;
    await stack.context.inTx((tx) =>
      writeMail(tx, { ...mail, ...(expiresAt ? { expiresAt } : {}) }),
    );
    return row();
  };
  const row = async () =>
    (
      await stack.sql`select * from mails where member_id = ${memberId} order by id desc limit 1`
    )[0];
  const send = async () => runJob(stack.context, sendMail, await row());
  const dueInMs = async () => (await row()).due_at.getTime() - stack.clock().getTime();
  /** The context's mail server is this one while `work` runs. */
  const withServer = async (
    options: SMTPServerOptions,
    timeoutMs: number,
    work: () => Promise<unknown>,
  ) => {
    await using server = await startMailbox(0, options);
    stack.context.mail = mailClientOf(server, timeoutMs);
    await work();
  };

  it('are sent once, as HTML and as text, and keep no secret then', async () => {
    const { id, token } = await written();
    expect(token).not.to.include('one-time-token');
    expect(await send()).to.equal('completed');
    const [mail, ...others] = mailbox.mails;
    expect(others).to.deep.equal([]);
    expect(mail).to.include({
      id: `<${id}@service.example>`,
      from: 'Payments <payments@service.example>',
      to: `${memberId}@test.example`,
    });
    for (const text of [mail!.html, mail!.text])
      expect(text).to.include(`${stack.context.env.publicUrl}/set-password/one-time-token`);
    expect(await row()).to.include({ status: 'sent', due_at: null, token: null });
    expect(await send()).to.equal(undefined);
    expect(mailbox.mails).to.have.length(1);
  });

  it('wait while the server is down, longer after each try, and then arrive', async () => {
    await written();
    stack.context.mail = mailClientOf({ url: mailSettings.url });
    for (const minutes of [1, 5, 15, 30, 60, 120, 120]) {
      expect(await send()).to.equal('retry');
      const waitMs = await dueInMs();
      expect(waitMs).to.be.within(minutes * MINUTE_MS, minutes * MINUTE_MS * 1.1);
      stack.clock.advance(waitMs);
    }
    stack.context.mail = mailClientOf(mailbox);
    expect(await send()).to.equal('completed');
    expect(mailbox.mails).to.have.length(1);
  });

  it('are given up once they are of no use', async () => {
    await written(new Date(stack.clock().getTime() + HOUR_MS));
    stack.clock.advance(HOUR_MS);
    expect(await send()).to.equal('discard');
    expect(await row()).to.include({ status: 'exhausted', due_at: null, token: null });
    expect(mailbox.mails).to.deep.equal([]);
  });

  it('that a server does not answer are tried again, after one time-out', async () => {
    await written();
    const silent: SMTPServerOptions = { onConnect: () => {} };
    await withServer(silent, 200, async () => expect(await send()).to.equal('retry'));
    expect((await row()).last_error).to.equal('the mail server took longer than 0.2 s');
  });

  it('that a server had, but did not say so, go out again with the same Message-ID', async () => {
    const { id } = await written();
    const had: string[] = [];
    const silent: SMTPServerOptions = {
      onData: async (stream) =>
        void had.push(Buffer.concat(await Array.fromAsync(stream)).toString()),
    };
    await withServer(silent, 500, async () => expect(await send()).to.equal('retry'));
    stack.clock.advance(2 * MINUTE_MS);
    stack.context.mail = mailClientOf(mailbox);
    expect(await send()).to.equal('completed');
    expect(had.map((text) => /^Message-ID: (.*)\r$/m.exec(text)?.[1])).to.deep.equal([
      `<${id}@service.example>`,
    ]);
    expect(mailbox.mails.map((mail) => mail.id)).to.deep.equal([`<${id}@service.example>`]);
  });

  const refusals: [what: string, options: SMTPServerOptions, status: string, error: string][] = [
    [
      'whose address the server refuses are not tried again',
      { onRcptTo: (_address, _session, done) => done(refusal(550, 'no such user')) },
      'refused',
      'RCPT TO with 550',
    ],
    [
      'whose text the server refuses are not tried again',
      {
        onData: (stream, _session, done) =>
          void stream.resume().on('end', () => done(refusal(554, 'spam'))),
      },
      'refused',
      'DATA with 554',
    ],
    [
      'that a server relays for nobody are tried again: that is for an operator to mend',
      { onRcptTo: (_address, _session, done) => done(refusal(550, '5.7.1 relaying denied')) },
      'pending',
      'RCPT TO with 550',
    ],
    [
      'beyond the quota of the sender are tried again',
      {
        onData: (stream, _session, done) =>
          void stream.resume().on('end', () => done(refusal(550, '5.4.5 quota exceeded'))),
      },
      'pending',
      'DATA with 550',
    ],
    [
      'that a server does not take yet are tried again',
      { onRcptTo: (_address, _session, done) => done(refusal(451, 'come back later')) },
      'pending',
      'RCPT TO with 451',
    ],
    [
      'whose sender a server refuses are tried again: that is for an operator to mend',
      { onMailFrom: (_address, _session, done) => done(refusal(553, 'not you')) },
      'pending',
      'MAIL FROM with 553',
    ],
  ];
  for (const [what, options, status, error] of refusals)
    it(what, async () => {
      await written();
      await withServer(options, 10_000, send);
      const ended = await row();
      expect(ended.status).to.equal(status);
      expect(ended.due_at === null).to.equal(status === 'refused');
      if (status === 'pending') expect(ended.last_error).to.include(error).and.not.include('@');
    });
});
