import { expect } from 'chai';
import { accounts } from '../../../domain/journal/entities/posting.ts';
import { auditOf } from '../../support/audit.ts';
import { expectContractHeaders, expectRefusal } from '../../support/contract.ts';
import { csrfOf, dashboardMember } from '../../support/dashboard.ts';
import { useMember } from '../../support/members.ts';
import { useStack } from '../../support/stack.ts';

describe('A business', () => {
  const stack = useStack({ workers: false, newTenants: true });
  const owner = useMember(stack, 'owner');

  const read = () => owner.api.get('/business');
  const change = (body: object) => owner.api.patch('/business', body);

  it('says where payers reach it, and takes that back', async () => {
    const none = { support_email: null, support_phone: null };
    const before = await read();
    expect(before.json).to.include(none);
    const contact = { support_email: 'help@shop.example', support_phone: '+2348012345678' };
    const changed = await change({ ...contact, support_phone: '0801 234 5678' });
    expectContractHeaders(changed, stack.tenant.tenant_id);
    expect(changed.json).to.deep.equal({ ...before.json, ...contact });
    expect((await read()).json).to.deep.equal(changed.json);
    expect((await change(none)).json).to.deep.equal(before.json);
    const actor = owner.memberId;
    expect(await auditOf(stack, stack.tenant.tenant_id)).to.have.deep.members([
      { actor, action: 'business.support_email_changed', detail: 'help@shop.example' },
      { actor, action: 'business.support_phone_changed', detail: '+2348012345678' },
      { actor, action: 'business.support_email_changed', detail: 'none' },
      { actor, action: 'business.support_phone_changed', detail: 'none' },
    ]);
  });

  it('has a name that is not blank, trimmed', async () => {
    for (const name of ['', ' ', '\u00a0\t\n'])
      await expectRefusal(stack, () => change({ name }), 'validation_failed', ['name']);
    expect((await change({ name: '  Ada Shoes ' })).json.name).to.equal('Ada Shoes');
  });

  it('is in any time zone, by any of its names, and in no offset', async () => {
    for (const zone of ['Europe/Kyiv', 'Europe/Kiev', 'America/Nuuk', 'UTC', 'Africa/Lagos']) {
      const changed = await change({ time_zone: zone });
      expect([changed.status, changed.json.time_zone]).to.deep.equal([200, zone]);
    }
    for (const zone of ['+01:00', '+0100', 'Europe/Atlantis', 'now', "UTC'", ' UTC'])
      await expectRefusal(stack, () => change({ time_zone: zone }), 'validation_failed', [
        'time_zone',
      ]);
  });

  it('is changed in the dashboard, where an empty field takes the value back', async () => {
    const member = await dashboardMember(stack, stack.tenant, 'owner');
    await member.get('/business');
    const save = (contact: object) =>
      member.post('/business', {
        ...{ csrf: csrfOf(member), name: 'Ada Shoes', time_zone: 'Africa/Lagos' },
        ...contact,
      });
    const wrong = await save({ support_email: 'help' });
    expect(wrong.status).to.equal(422);
    expect(wrong.html).to.include('E-mail address for customers must be');
    for (const contact of [
      { support_email: 'help@shop.example', support_phone: '+2348012345678' },
      { support_email: '', support_phone: '' },
    ]) {
      expect((await save(contact)).status).to.equal(303);
      const { support_email, support_phone } = (await read()).json;
      const shown = { support_email: support_email ?? '', support_phone: support_phone ?? '' };
      expect(shown).to.deep.equal(contact);
    }
  });

  describe('wants two people for refunds', () => {
    const rules = {
      refunds_require_second_person: true,
      refunds_require_two_owners_above_kobo: 5_000_000,
    };
    const none = {
      refunds_require_second_person: false,
      refunds_require_two_owners_above_kobo: null,
    };

    it('once two Owners can sign in, and takes that back', async () => {
      await dashboardMember(stack, stack.tenant, 'finance');
      const { memberId } = await dashboardMember(stack, stack.tenant, 'owner');
      await stack.sql`update members set disabled_at = ${stack.clock()} where id = ${memberId}`;
      for (const [field, wanted] of Object.entries(rules))
        await expectRefusal(stack, () => change({ [field]: wanted }), 'validation_failed', [field]);
      await stack.sql`update members set disabled_at = null where id = ${memberId}`;
      expect((await change(rules)).json).to.include(rules);
      await stack.sql`update members set disabled_at = ${stack.clock()} where id = ${memberId}`;
      expect((await change({ ...rules, name: 'Ada Shoes' })).status, 'as it is').to.equal(200);
      expect((await change(none)).json).to.include(none);
      const ofRules = (await auditOf(stack, stack.tenant.tenant_id))
        .filter(({ action }) => action.includes('refunds'))
        .map(
          ({ action, detail }) => `${action.slice('business.refunds_require_'.length)} ${detail}`,
        );
      expect(ofRules).to.have.members([
        'second_person_changed true',
        'two_owners_above_changed ₦50,000.00',
        'second_person_changed false',
        'two_owners_above_changed none',
      ]);
    });

    it('and warns an Owner who leaves it with one', async () => {
      const [member, other] = [
        await dashboardMember(stack, stack.tenant, 'owner'),
        await dashboardMember(stack, stack.tenant, 'finance'),
      ];
      const warns = async (id: string, change: string) =>
        (await member.get(`/members/${id}/${change}`)).html.includes('One Owner will be left');
      expect(await warns(member.memberId, 'disable'), 'without a rule').to.equal(false);
      await change({ refunds_require_second_person: true });
      for (const way of ['disable', 'role']) {
        expect(await warns(member.memberId, way)).to.equal(true);
        expect(await warns(other.memberId, way)).to.equal(false);
      }
    });

    it('in the dashboard', async () => {
      const member = await dashboardMember(stack, stack.tenant, 'owner');
      await member.get('/business');
      const save = (fields: Record<string, string>) =>
        member.submit('/business', { name: 'Ada Shoes', time_zone: 'Africa/Lagos', ...fields });
      const wanted = { refunds_require_second_person: 'yes', two_owners_above: '₦50,000' };
      const wrong = await save({ ...wanted, two_owners_above: 'much' });
      expect(wrong.html).to.include('two Owners approve a refund must be an amount in naira');
      expect((await save(wanted)).status).to.equal(303);
      expect((await read()).json).to.include(rules);
      expect((await member.get('/business')).html).to.include('value="₦50,000.00"');
      expect((await save({})).status).to.equal(303);
      expect((await read()).json).to.include(none);
      await stack.sql`update members set password_hash = null where id <> ${member.memberId}`;
      for (const [field, value] of Object.entries(wanted)) {
        const refused = await save({ [field]: value });
        expect(refused.status).to.equal(422);
        expect(refused.html.match(/needs two Owners who can sign in/g)).to.have.lengthOf(2);
        expect(refused.html).to.match(
          /invite one under <a [^>]*href="\/dashboard\/members">Members</,
        );
        expect(refused.html).not.to.include('Refunds require');
      }
    });
  });

  describe('names its own codes of accounts', () => {
    const none = Object.fromEntries(accounts.map((account) => [account, null]));
    const changedTo = async (codes: object) =>
      (await change({ account_codes: codes })).json.account_codes;

    it('one by one, and takes them back', async () => {
      expect((await read()).json.account_codes).to.deep.equal(none);
      const two = { at_provider: '1210', fees: 'Gebühren 6.855/01' };
      expect(await changedTo(two)).to.deep.equal({ ...none, ...two });
      for (const time of ['once', 'again'])
        expect(await changedTo({ at_provider: '1211', fees: null }), time).to.deep.equal({
          ...none,
          at_provider: '1211',
        });
      expect((await read()).json.account_codes).to.deep.equal({ ...none, at_provider: '1211' });
      const [actor, action] = [owner.memberId, 'business.account_codes_changed'];
      expect(await auditOf(stack, stack.tenant.tenant_id)).to.have.deep.members([
        { actor, action, detail: 'at_provider: 1210' },
        { actor, action, detail: 'fees: Gebühren 6.855/01' },
        { actor, action, detail: 'at_provider: 1211' },
        { actor, action, detail: 'fees: none' },
      ]);
    });

    it('without what a file of accounts could not hold', async () => {
      const wrong = ['', ' ', '12\n10', '12\u0007', '12;10', '12,10', '=1+1', ' 1210', '1  2'];
      for (const code of [...wrong, 'x'.repeat(41), 1210])
        await expectRefusal(
          stack,
          () => change({ account_codes: { fees: code } }),
          'validation_failed',
          ['account_codes.fees'],
        );
      const unknown = () => change({ account_codes: { petty_cash: '1000' } });
      await expectRefusal(stack, unknown, 'validation_failed', ['account_codes.petty_cash']);
    });

    it('in the dashboard', async () => {
      const member = await dashboardMember(stack, stack.tenant, 'owner');
      await member.get('/business');
      const save = (codes: Record<string, string>) =>
        member.submit('/business/account-codes', codes);
      const wrong = await save({ 'account_codes.fees': '68;55', 'account_codes.bank': '1000' });
      expect(wrong.status).to.equal(422);
      expect(wrong.html).to.include('Fees must be letters and digits').and.include('value="68;55"');
      expect(
        (await save({ 'account_codes.fees': '6855', 'account_codes.bank': '' })).status,
      ).to.equal(303);
      expect((await read()).json.account_codes).to.deep.equal({ ...none, fees: '6855' });
    });
  });
});
