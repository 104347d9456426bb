import { toNaira } from '../naira.ts';
import type { Account, Settlement, SettlementStatus } from '../records.ts';
import { type Contents, currencyStated, type Line } from '../settlements.ts';
import { stampDutyKobo as stampDutyOf } from './fees.ts';
import { flwRef } from './transaction-shape.ts';

const settlementStatus: Record<SettlementStatus, string> = {
  pending: 'pending',
  landed: 'completed',
  failed: 'failed',
};

/**
 * A settlement as the list shows it. There is no column for tax, so `app_fee` contains it: net is
 * gross less all the others. What  was held back for no reason at all passes for a refund.
 */
export function settlementShape(
  account: Account,
  settlement: Settlement,
  { paymentIds, deductions }: Contents,
) {
  const createdAt = settlement.createdAt.toISOString();
  const day = `${createdAt.slice(0, 10)}T00:00:00.000Z`;
  const stampDutyKobo = settlement.stampDutyKobo;
  const [chargebacks, refunds] = [
    deductions.filter(({ disputeId }) => disputeId),
    deductions.filter(({ disputeId }) => !disputeId),
  ];
  return {
    id: settlement.id,
    account_id: account.id,
    merchant_name: 'Sandbox merchant',
    merchant_email: 'sandbox@flutterwave.test',
    settlement_account: '0690000031',
    bank_code: '044',
    transaction_date: day,
    due_date: day,
    processed_date: processedDate(settlement),
    status: settlementStatus[settlement.status],
    is_local: true,
    currency: 'NGN',
    gross_amount: toNaira(settlement.grossKobo),
    app_fee: toNaira(settlement.feeKobo - stampDutyKobo),
    merchant_fee: 0,
    chargeback: toNaira(total(chargebacks.map(({ amountKobo }) => amountKobo))),
    refund: toNaira(settlement.levyKobo + total(refunds.map(({ amountKobo }) => amountKobo))),
    stampduty_charge: toNaira(stampDutyKobo),
    net_amount: toNaira(settlement.landedKobo),
    transaction_count: settlement.lineCount,
    processor_ref: null,
    disburse_ref: `SETTLEMENT_${settlement.id}`,
    disburse_message: null,
    channel: 'web',
    destination: 'account',
    fx_data: null,
    flag_message: null,
    meta: paymentIds,
    refund_meta: idsOf(refunds.map(({ refundId }) => refundId)),
    chargeback_meta: idsOf(chargebacks.map(({ disputeId }) => disputeId)),
    source_bankcode: null,
    created_at: createdAt,
  };
}

/** A transaction as a line of its settlement. */
export function settlementLine(account: Account, line: Line) {
  const stampDutyKobo = Math.min(line.feeKobo, stampDutyOf(line.paidKobo));
  return {
    customer_email: line.email,
    flw_ref: flwRef(account, line),
    tx_ref: line.reference,
    id: line.id,
    charged_amount: toNaira(line.paidKobo),
    app_fee: toNaira(line.feeKobo - stampDutyKobo),
    merchant_fee: 0,
    stampduty_charge: toNaira(stampDutyKobo),
    settlement_amount: toNaira(line.paidKobo - line.feeKobo),
    status: 'successful',
    payment_entity: line.channel,
    transaction_date: line.paidAt.toISOString(),
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

function total(amounts: number[]): number {
  return amounts.reduce((sum, amount) => sum + amount, 0);
}
