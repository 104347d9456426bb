import { expect } from 'chai';
import { auditOf } from '../../support/audit.ts';
import { DAY, SECOND } from '../../support/clock.ts';
import { expectRefusal } from '../../support/contract.ts';
import { publish } from '../../support/deliveries.ts';
import { FOREIGN, GENUINE, verified } from '../../support/merchant-server.ts';
import { runTwice } from '../../support/run-twice.ts';
import { useStack } from '../../support/stack.ts';
import { useWebhookFixture } from './fixture.ts';

describe('POST /webhook-endpoints/{id}/rotate-secret', () => {
  const stack = useStack();
  const fixture = useWebhookFixture(stack);
  const { merchant, server } = fixture;

  const rotate = (idempotencyKey?: string) =>
    merchant.post(`${fixture.path}/rotate-secret`, undefined, idempotencyKey);
  const arrivals = async () => {
    const before = server.arrivals.length;
    await publish(merchant.of);
    await stack.settle();
    expect((await merchant.post(`${fixture.path}/test`)).json.status_code).to.equal(200);
    const arrived = server.arrivals.slice(before);
    expect(arrived).to.have.length(2);
    return arrived;
  };
  const expectAll = async (secrets: Record<string, object>) => {
    for (const arrival of await arrivals()) {
      for (const [secret, whether] of Object.entries(secrets))
        expect(verified(arrival, secret), secret).to.deep.equal(whether);
    }
  };
  // A user token is valid for a day, and the test takes longer.
  const later = async (ms: number) => {
    stack.clock.advance(ms);
    await fixture.signInAgain();
  };

  it('signs with both secrets for a day, and with the new one alone afterwards', async () => {
    await expectAll({ [fixture.secret]: GENUINE });
    const answer = await rotate();
    expect(answer.status, answer.text).to.equal(201);
    const { secret, secrets } = answer.json;
    expect(secret)
      .to.match(/^whsec_/)
      .and.not.equal(fixture.secret);
    expect(secrets).to.have.length(2);
    expect(Date.parse(secrets[1].until) - stack.clock().getTime()).to.be.within(DAY - SECOND, DAY);
    await expectAll({ [fixture.secret]: GENUINE, [secret]: GENUINE });

    await later(DAY - SECOND * 30);
    await expectAll({ [fixture.secret]: GENUINE, [secret]: GENUINE });
    await later(SECOND * 31);
    await expectAll({ [fixture.secret]: FOREIGN, [secret]: GENUINE });
    expect((await merchant.get(fixture.path)).json.secrets).to.deep.equal([{ until: null }]);
  });

  it('is refused while four older secrets sign, naming until when; a day later it works', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => rotate()));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).to.deep.equal([201, 201, 201, 201, 409, 409]);
    const { secrets } = (await merchant.get(fixture.path)).json;
    expect(secrets).to.have.length(5);
    const refused = await expectRefusal(stack, () => rotate('early'), 'invalid_state');
    expect(refused.text).to.include(secrets.at(-1).until);
    const given = answers.filter(({ status }) => status === 201).map(({ json }) => json.secret);
    await expectAll(
      Object.fromEntries([fixture.secret, ...given].map((secret) => [secret, GENUINE])),
    );
    await later(Date.parse(secrets.at(-1).until) - stack.clock().getTime());
    expect((await rotate('early')).status).to.equal(201);
  });

  it('shows the secret in this answer only, replayed under its Idempotency-Key', async () => {
    const [{ json }] = await runTwice(stack, () => rotate('twice'));
    const { id, secret } = json;
    expect((await merchant.get(fixture.path)).json.secrets).to.have.length(2);
    const rows = await stack.sql<{
      text: string;
    }>`select to_json(e)::text as text from webhook_endpoints e where id = ${id}
       union all select to_json(k)::text from idempotency_keys k where tenant_id = ${merchant.tenant.tenant_id}`;
    expect(rows).to.have.length(2);
    const shown = [await merchant.get(fixture.path), await merchant.get('/webhook-endpoints')];
    for (const { text } of [...rows, ...shown]) {
      for (const each of [fixture.secret, secret])
        expect(text).not.to.include(each.slice('whsec_'.length, -1));
    }
    expect((await auditOf(stack, id)).at(-1)).to.deep.equal({
      ...{ actor: merchant.memberId, action: 'webhook_endpoint.secret_rotated', detail: null },
    });
  });

  it('works while the endpoint is disabled', async () => {
    await merchant.patch(fixture.path, { status: 'disabled' });
    const { secret } = (await rotate()).json;
    await merchant.patch(fixture.path, { status: 'enabled' });
    await expectAll({ [secret]: GENUINE, [fixture.secret]: GENUINE });
  });
});
