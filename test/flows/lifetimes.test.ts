import { expect } from 'chai';
import type { Request } from 'express';
import { needsCode } from '../../api/dashboard/confirm.ts';
import { deviceOf, rememberDevice } from '../../api/dashboard/device-cookie.ts';
import { openLink, setPassword } from '../../domain/accounts/member/member-links.ts';
import { listSignIns } from '../../domain/accounts/session/list-sessions.ts';
import type { Session } from '../../domain/accounts/session/session.ts';
import { eraseExchangedPairs } from '../../domain/accounts/token/refresh.ts';
import { claimUnasked } from '../../domain/payments/attempt/claim-unasked.ts';
import { markSending } from '../../domain/payments/attempt/store.ts';
import { createCharge } from '../../domain/payments/charge/create.ts';
import type { NewCharge } from '../../domain/payments/charge/row.ts';
import { expireLinks } from '../../domain/payments/payment-link/expire-links.ts';
import { isPastSending } from '../../domain/payments/refund/schedule.ts';
import { findUnrecorded } from '../../domain/payments/refund-listing/unrecorded.ts';
import { newId } from '../../domain/shared/ids.ts';
import type { Problem } from '../../domain/shared/problems.ts';
import { runHousekeeping } from '../../workers/housekeeping.ts';
import { newCharge, putCharge, stored } from '../support/charges.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../support/clock.ts';
import { type DashboardBrowser, dashboardBrowser, dashboardMember } from '../support/dashboard.ts';
import { addEndpoint } from '../support/deliveries.ts';
import { insertRow } from '../support/insert-row.ts';
import { memberOf } from '../support/members.ts';
import { newMerchant, startMerchantServer, verified } from '../support/merchant-server.ts';
import { newLink, readLink, submit } from '../support/payment-links.ts';
import { rawRequest } from '../support/raw-http.ts';
import { type Stack, useStack } from '../support/stack.ts';
import { refresh, signIn, statusWith } from '../support/tokens.ts';

const DESCRIPTION = { amount_kobo: 10_000, email: 'ada@example.com' };

async function ownerTokens(stack: Stack) {
  return signIn(stack, stack.tenant.owner);
}

function isLetIn({ status, text }: { status: number; text: string }): boolean {
  expect(status, text).to.be.oneOf([200, 201, 401]);
  return status !== 401;
}

describe('What works for a time', () => {
  const stack = useStack({ workers: false, books: false });

  /** Makes something now that works for so long; the function it returns uses it: whether it works. */
  function lives(name: string, livesMs: number, make: () => Promise<() => Promise<boolean>>) {
    it(`works one tick before its end, and not one after: ${name}`, async () => {
      for (const [afterMs, works] of [
        [livesMs - 1, true],
        [livesMs, false],
      ] as const) {
        const madeAt = stack.clock();
        stack.clock.stopAt(madeAt);
        const use = await make();
        stack.clock.stopAt(new Date(madeAt.getTime() + afterMs));
        expect(await use(), `${afterMs} ms later`).to.equal(works);
      }
    });
  }

  lives('an access token reads', 15 * MINUTE, async () => {
    const { access_token: token } = await ownerTokens(stack);
    return async () => (await statusWith(stack, token)) !== 401;
  });
  lives('an access token creates charges', 15 * MINUTE, async () => {
    const { access_token: key } = await ownerTokens(stack);
    await statusWith(stack, key); // which recognises it
    return async () => isLetIn(await stack.api.post('/charges', DESCRIPTION, { key }));
  });
  lives('an access token reads a charge by its reference', 15 * MINUTE, async () => {
    const { reference } = await newCharge(stack);
    const { access_token: key } = await ownerTokens(stack);
    await statusWith(stack, key);
    return async () => isLetIn(await stack.api.get(`/charges/${reference}`, { key }));
  });
  lives('a refresh token is exchanged', 30 * DAY, async () => {
    const { refresh_token: token } = await ownerTokens(stack);
    return async () => isLetIn(await refresh(stack, token));
  });
  lives('a refresh token whose answer was lost is exchanged again', 30 * SECOND + 1, async () => {
    const { refresh_token: token } = await ownerTokens(stack);
    expect((await refresh(stack, token)).status).to.equal(200);
    return async () => isLetIn(await refresh(stack, token));
  });
  lives('a session that nobody uses shows views', 2 * HOUR, async () => {
    const browser = await dashboardMember(stack, stack.tenant, 'owner');
    return () => isSignedIn(browser);
  });
  lives('a session in use shows views', 12 * HOUR, async () => {
    const browser = await dashboardMember(stack, stack.tenant, 'owner');
    const begun = stack.clock().getTime();
    return async () => {
      const asked = stack.clock();
      for (let at = begun + HOUR; at < asked.getTime(); at += HOUR) {
        stack.clock.stopAt(new Date(at));
        expect(await isSignedIn(browser), `after ${(at - begun) / HOUR} h`).to.equal(true);
      }
      stack.clock.stopAt(asked);
      return isSignedIn(browser);
    };
  });
  lives('a link to set a password shows its form', DAY, async () => {
    const path = await passwordLink(stack);
    return async () => (await rawRequest(stack, { path })).status === 200;
  });
  lives('a link to set a password sets one', DAY, async () => {
    const path = await passwordLink(stack);
    return async () => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const body = 'password=correct+horse+battery';
      return (await rawRequest(stack, { method: 'POST', path, headers, body })).status === 200;
    };
  });
  lives('a link to set a password sets one, whatever its page read before', DAY, async () => {
    const token = (await passwordLink(stack)).split('/').at(-1)!;
    const { db, clock, inTx } = stack.context;
    const link = await openLink(db, token, clock());
    return () =>
      inTx((tx) => setPassword(tx, token, link, 'hash')).then(
        () => true,
        (error: Problem) => {
          expect(error.status).to.equal(410);
          return false;
        },
      );
  });
  lives('the choice between businesses is offered', 5 * MINUTE, async () => {
    const { email, password } = stack.tenant.owner;
    const other = await stack.newTenant({ connected: false });
    const { tenant_id: tenantId } = stack.tenant;
    await stack.sql`update members set email = ${email}, password_hash = (
        select password_hash from members where email = ${email} and tenant_id = ${tenantId})
      where email = ${other.owner.email}`;
    const browser = dashboardBrowser(stack.context.env.publicUrl);
    const { location } = await browser.signIn({ email, password });
    const shown = await browser.get(location!);
    await stack.sql`update members set email = ${other.owner.email}
      where tenant_id = ${other.tenant_id}`;
    expect(shown.html).to.include('Choose a business');
    return async () => (await browser.get(location!)).html.includes('Choose a business');
  });
  lives('an answer that shows a secret is repeated', DAY + 1, async () => {
    const headers = { 'Idempotency-Key': newId('req', stack.clock()) };
    const create = async () => {
      const { token: key } = await memberOf(stack, stack.tenant, 'owner');
      return stack.api.post('/api-keys', { kind: 'secret' }, { key, headers });
    };
    const first = await create();
    return async () => (await create()).text === first.text;
  });
  for (const path of ['/charges', '/refunds'])
    lives(`a repeated POST ${path} has the answer of the first one`, 7 * DAY + 1, async () => {
      const options = { idempotencyKey: newId('req', stack.clock()) };
      const body = path === '/charges' ? DESCRIPTION : await refundOf(stack);
      const create = () => stack.api.post(path, body, options);
      const first = await create();
      return async () => {
        await runHousekeeping(stack.context);
        return (await create()).json.id === first.json.id;
      };
    });
  /** A new charge that a worker has claimed until then; the function returned marks it as being sent. */
  const claimedUntil = async (untilAt: Date | 'infinity', waits: boolean) => {
    const { attempts } = await stored(stack, await newCharge(stack));
    const [{ id, charge_id }] = attempts as [Record<string, any>];
    await stack.sql`update attempts set due_at = ${untilAt} where id = ${id}`;
    return async () => {
      const now = stack.clock();
      const claimed = { id, tries: 0, charge_id };
      const sent = await markSending(stack.context.db, [claimed], { now, untilAt: now, waits });
      return sent.size === 1;
    };
  };
  lives('a charge is sent to its provider', DAY, () => claimedUntil('infinity', false));
  lives('the claim of a charge that is about to be sent', MINUTE, () =>
    claimedUntil(new Date(stack.clock().getTime() + MINUTE), true),
  );
  lives('a charge of which nothing was sent waits', DAY, async () => {
    const charge = await newCharge(stack);
    return async () => {
      await runHousekeeping(stack.context);
      return (await stored(stack, charge)).status === 'initiated';
    };
  });
  lives('a payment link is shown as active', DAY, async () => {
    const link = await newLink(stack, { expires_in_days: 1 });
    return async () => {
      const { status } = await readLink(stack, link);
      for (const name of ['active', 'expired']) {
        const { json } = await stack.api.get(`/payment-links?status=${name}&limit=100`);
        const isListed = json.data.some(({ id }: { id: string }) => id === link.id);
        expect(isListed, name).to.equal(status === name);
      }
      return status === 'active';
    };
  });
  lives('a payment link leads to a payment', DAY, async () => {
    const link = await newLink(stack, { expires_in_days: 1 });
    return async () => (await submit(stack, link)).status === 303;
  });
  lives('a payment link takes a charge, whatever its page read before', DAY, async () => {
    const { inTx, clock } = stack.context;
    const link = await newLink(stack, { expires_in_days: 1 });
    const asked = (await stored(stack, await newCharge(stack))) as unknown as NewCharge;
    return async () => {
      const request = {
        asker: { paymentLinkId: link.id },
        charge: { ...asked, id: newId('txn', clock()) },
        answerTemplate: '{}',
        now: clock(),
      };
      const { tenantId } = await inTx((tx) => createCharge(tx, request));
      return tenantId !== null;
    };
  });
  lives('a payment link is stored as active', DAY, async () => {
    const link = await newLink(stack, { expires_in_days: 1 });
    return async () => {
      await expireLinks({ sql: stack.context.db, now: stack.clock() }, 1_000);
      return (await stack.count(`payment_links where id = '${link.id}' and status = 'active'`)) > 0;
    };
  });
  lives('a replaced webhook secret signs', DAY, async () => {
    const merchant = await newMerchant(stack);
    const server = await startMerchantServer(stack.clock);
    const created = await merchant.post('/webhook-endpoints', { url: server.url });
    const path = `/webhook-endpoints/${created.json.id}`;
    expect((await merchant.post(`${path}/rotate-secret`)).status).to.equal(201);
    return async () => {
      const { token: key } = await memberOf(stack, merchant.of.tenant, 'owner');
      await stack.api.post(`${path}/test`, undefined, { key });
      await server[Symbol.asyncDispose]();
      return verified(server.arrivals.at(-1)!, created.json.secret).plainly;
    };
  });
  lives('a sign-in is listed', 30 * DAY, async () => {
    await ownerTokens(stack);
    const { db } = stack.context;
    const { email } = stack.tenant.owner;
    const [member] = await stack.sql`select id from members where email = ${email}`;
    const listed = () => listSignIns(db, member.id, stack.clock());
    const [newest] = await listed();
    return async () => (await listed()).some(({ id }) => id === newest!.id);
  });
  lives('the pair that a refresh token was exchanged for is stored', MINUTE + 1, async () => {
    const { refresh_token: token } = await ownerTokens(stack);
    await refresh(stack, token);
    return async () => {
      const { db, clock } = stack.context;
      await eraseExchangedPairs({ sql: db, now: clock() }, 1_000);
      return (await stack.count('user_tokens where exchanged_for is not null')) > 0;
    };
  });
  lives('a session counts as seen', MINUTE, async () => {
    const browser = await dashboardMember(stack, stack.tenant, 'owner');
    const seen = () => stack.sql`select last_seen_at::text from dashboard_sessions
      join token_families f on f.id = family_id where member_id = ${browser.memberId}`;
    const before = await seen();
    return async () => {
      await browser.get('/transactions');
      return JSON.stringify(await seen()) === JSON.stringify(before);
    };
  });
  lives('a code is not asked for again', 15 * MINUTE + 1, async () => {
    const { clock } = stack;
    const session = { hasTotp: true, codeGivenAt: clock() } as Session;
    return async () => !needsCode(session, clock());
  });
  lives('a browser that signed somebody in is known', 90 * DAY, async () => {
    const { context } = stack;
    const cookies: string[] = [];
    const request = { headers: {} } as Request;
    const append = (_name: string, cookie: string) => cookies.push(cookie.split(';')[0]!);
    rememberDevice(context, { req: request, append } as never, 'mem_one');
    request.headers.cookie = cookies.join('; ');
    return async () => deviceOf(context, request)?.memberIds[0] === 'mem_one';
  });
  lives('events are sent again since a time', 60 * DAY + 1, async () => {
    const endpoint = await addEndpoint(stack);
    const since = stack.clock().toISOString();
    return async () => {
      const { token: key } = await memberOf(stack, stack.tenant, 'owner');
      const path = `/webhook-endpoints/${endpoint}/resend`;
      const { status } = await stack.api.post(path, { since }, { key });
      expect(status).to.be.oneOf([202, 422]);
      return status === 202;
    };
  });
  lives('the providers of a charge are not asked about it again', SECOND, async () => {
    const { db, clock } = stack.context;
    const { id } = await stored(stack, await newCharge(stack));
    await db.query(`update attempts set status = 'open' where charge_id = $1`, [id]);
    expect(await claimUnasked(db, id, clock())).to.have.length(1);
    return async () => (await claimUnasked(db, id, clock())).length === 0;
  });
  lives('a payer is led back to the merchant without a click', 10 * MINUTE, async () => {
    const charge = await newCharge(stack, { return_url: 'https://shop.example/thanks' });
    await stack.sql`update charges set status = 'succeeded', occurred_at = ${stack.clock()}
      where number = ${Number(charge.reference.slice(3))}`;
    const { pathname: path } = new URL(charge.checkout_url);
    return async () => (await rawRequest(stack, { path })).text.includes('data-leads-back');
  });
  lives('a payment page is prepared in the usual time', 20 * SECOND + 1, async () => {
    const { pathname: path } = new URL((await newCharge(stack)).checkout_url);
    return async () => !(await rawRequest(stack, { path })).text.includes('longer than usual');
  });
  lives('an approved refund waits to be sent', 7 * DAY, async () => {
    const { clock } = stack;
    const approvedAt = clock();
    return async () => !isPastSending(approvedAt, clock());
  });
  lives(
    'a refund that the provider listed is looked for among payments to come',
    2 * DAY,
    async () => {
      const { db, clock } = stack.context;
      const charge = await stored(stack, await newCharge(stack));
      const [{ id: attemptId, connection_id: connectionId }] = charge.attempts as [any];
      const paymentId = newId('cap', clock());
      const now = clock();
      const payment = { connection_id: connectionId, provider_payment_id: paymentId };
      await insertRow(stack, 'captures', {
        ...{ ...payment, id: paymentId, charge_id: charge.id, attempt_id: attemptId },
        ...{ status: 'applied', amount_kobo: 1, currency: 'NGN', channel: 'card' },
        ...{ captured_at: now, recorded_at: now },
      });
      const listed = { provider_refund_id: paymentId, generation: 1, listed_at: now };
      await insertRow(stack, 'listed_refunds', { ...payment, ...listed });
      return async () => {
        const found = await findUnrecorded({ sql: db, now: clock() }, connectionId, 100);
        return found.some(({ providerRefundId }) => providerRefundId === paymentId);
      };
    },
  );
});

async function isSignedIn(browser: DashboardBrowser): Promise<boolean> {
  const { status } = await browser.get('/transactions');
  expect(status).to.be.oneOf([200, 303]);
  return status === 200;
}

async function passwordLink(stack: Stack): Promise<string> {
  const { token: key } = await memberOf(stack, stack.tenant, 'owner');
  const { memberId } = await memberOf(stack, stack.tenant, 'viewer');
  const { json } = await stack.api.post(`/members/${memberId}/set-password-link`, undefined, {
    key,
  });
  return new URL(json.set_password_url).pathname;
}

async function refundOf(stack: Stack): Promise<object> {
  const charge = await newCharge(stack);
  await putCharge(stack, charge, 'succeeded');
  return { reference: charge.reference, amount_kobo: 1_000, reason: 'Wrong size' };
}
