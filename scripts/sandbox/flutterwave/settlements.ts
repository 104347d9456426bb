import type { Account, Deduction, Payment, Settlement } from '../records.ts';
import { sum } from '../refunds.ts';
import {
  currencyStated,
  deductionsIn,
  findSettlement,
  linesOf,
  unsettledKobo,
} from '../settlements.ts';
import type { Store } from '../store.ts';
import { get, toId, toNaira, unfilled } from '../wire.ts';
import { listAnswer, ok, refuse } from './answers.ts';
import { stampDutyKobo as stampDutyOf } from './fees.ts';
import { flwRef } from './transaction-shape.ts';

const getSettlements = get('/settlements', ({ store }, call) => {
  const settlements = store.settlement.find(`account ${call.account.id}`);
  return listAnswer(call, 'Settlements fetched', settlements, (settlement) =>
    settlementShape(call.account, settlement, deductionsIn(store, settlement)),
  );
});

/** `GET /settlements/{id}`: only here `meta` is text and `is_local` a number. */
const getSettlement = get('/settlements/:id', ({ store }, { account, params }) => {
  const settlement =
    findSettlement(store, account, toId(params.id)) ?? refuse(404, 'Settlement not found');
  const shape = settlementShape(account, settlement, deductionsIn(store, settlement));
  return ok('Settlement fetched', {
    ...shape,
    is_local: 1,
    meta: JSON.stringify(shape.meta),
    transactions: linesOf(store, settlement).map((line) => settlementLine(account, line)),
  });
});

const getBalances = get('/balances', ({ store }, { account }) => {
  return ok('Wallet balances fetched', [nairaWallet(store, account)]);
});

const getBalance = get('/balances/:currency', ({ store }, { account, params }) => {
  if (params.currency !== 'NGN') return refuse(400, 'No wallet of this currency');
  return ok('Wallet balance fetched', nairaWallet(store, account));
});

/** What was not paid out yet is on the ledger; the sandbox makes none of it available earlier. */
function nairaWallet(store: Store, account: Account): object {
  const ledgerBalance = toNaira(unsettledKobo(store, account));
  return { currency: 'NGN', available_balance: 0, ledger_balance: ledgerBalance };
}

/** As the list shows it: `app_fee` contains the tax, `refund` what has no other reason. */
function settlementShape(account: Account, settlement: Settlement, deductions: Deduction[]) {
  const createdAt = settlement.createdAt.toISOString();
  const day = `${createdAt.slice(0, 10)}T00:00:00.000Z`;
  const stampDutyKobo = settlement.stampDutyKobo;
  const chargebacks = deductions.filter(({ disputeId }) => disputeId);
  const refunds = deductions.filter(({ disputeId }) => !disputeId);
  return {
    id: settlement.id,
    account_id: account.id,
    ...{ merchant_name: 'Sandbox merchant', merchant_email: 'sandbox@flutterwave.test' },
    ...{ settlement_account: '0690000031', bank_code: '044' },
    ...{ transaction_date: day, due_date: day, processed_date: processedDate(settlement) },
    status: settlement.status === 'landed' ? 'completed' : settlement.status,
    is_local: true,
    currency: 'NGN',
    gross_amount: toNaira(settlement.grossKobo),
    app_fee: toNaira(settlement.feeKobo - stampDutyKobo),
    merchant_fee: 0,
    chargeback: toNaira(sum(chargebacks)),
    refund: toNaira(settlement.levyKobo + sum(refunds)),
    stampduty_charge: toNaira(stampDutyKobo),
    net_amount: toNaira(settlement.landedKobo),
    transaction_count: settlement.paymentIds.length,
    ...unfilled('processor_ref disburse_message fx_data flag_message source_bankcode'),
    ...{ disburse_ref: `SETTLEMENT_${settlement.id}`, channel: 'web', destination: 'account' },
    meta: settlement.paymentIds,
    refund_meta: idsOf(refunds.map(({ refundId }) => refundId)),
    chargeback_meta: idsOf(chargebacks.map(({ disputeId }) => disputeId)),
    created_at: createdAt,
  };
}

function settlementLine(account: Account, line: Payment) {
  const [paidKobo, feeKobo] = [line.paidKobo!, line.feeKobo!];
  const stampDutyKobo = Math.min(feeKobo, stampDutyOf(paidKobo));
  return {
    ...{ customer_email: line.email, flw_ref: flwRef(account, line) },
    ...{ tx_ref: line.reference, id: line.id },
    charged_amount: toNaira(paidKobo),
    app_fee: toNaira(feeKobo - stampDutyKobo),
    merchant_fee: 0,
    stampduty_charge: toNaira(stampDutyKobo),
    settlement_amount: toNaira(paidKobo - feeKobo),
    status: 'successful',
    payment_entity: line.channel,
    transaction_date: line.paidAt,
    currency: currencyStated(line),
    card_locale: line.channel === 'card' ? 'LOCAL' : null,
    rrn: null,
    subaccount_settlement: 0,
  };
}

/** Often left out on the real wire: here of a settlement that was sent as it was made. */
function processedDate({ landedAt, createdAt }: Settlement): string | null {
  return landedAt === null || landedAt.getTime() === createdAt.getTime()
    ? null
    : landedAt.toISOString();
}

function idsOf(ids: (number | null)[]): number[] | null {
  const known = ids.filter((id) => id !== null);
  return known.length > 0 ? known : null;
}

export const settlements = [getSettlements, getSettlement, getBalances, getBalance];
