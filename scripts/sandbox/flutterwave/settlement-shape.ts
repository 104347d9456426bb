import { toNaira } from '../naira.ts';
import type { Account, Deduction, Payment, Settlement } from '../records.ts';
import { stampDutyKobo } from './fees.ts';
import { flwRef, transactionStatus } from './transaction-shape.ts';

/** A settlement as the list shows it. There is no column for tax, so that it stands in `app_fee`: net is gross less all the others. */
export function settlementShape(account: Account, settlement: Settlement, payments: Payment[], deductions: Deduction[]) {
  const createdAt = settlement.createdAt.toISOString();
  const day = `${createdAt.slice(0, 10)}T00:00:00.000Z`;
  const dutyKobo = total(payments.map(({ paidKobo }) => stampDutyKobo(paidKobo!)));
  const [chargebacks, refunds] = [deductions.filter(({ disputeId }) => disputeId), deductions.filter(({ disputeId }) => !disputeId)];
  return {
    id: settlement.id,
    account_id: account.id,
    merchant_name: 'Sandbox merchant',
    merchant_email: 'sandbox@flutterwave.test',
    settlement_account: '0690000031',
    bank_code: '044',
    transaction_date: day,
    due_date: day,
    processed_date: null,
    status: 'completed',
    is_local: true,
    currency: 'NGN',
    gross_amount: toNaira(settlement.grossKobo),
    app_fee: toNaira(settlement.feeKobo - dutyKobo),
    merchant_fee: 0,
    chargeback: toNaira(total(chargebacks.map(({ amountKobo }) => amountKobo))),
    refund: toNaira(total(refunds.map(({ amountKobo }) => amountKobo))),
    stampduty_charge: toNaira(dutyKobo),
    net_amount: toNaira(settlement.landedKobo),
    transaction_count: payments.length,
    processor_ref: null,
    disburse_ref: `SETTLEMENT_${settlement.id}`,
    disburse_message: null,
    channel: 'web',
    destination: 'account',
    fx_data: null,
    flag_message: null,
    meta: payments.map(({ id }) => id),
    refund_meta: idsOf(refunds.map(({ refundId }) => refundId)),
    chargeback_meta: idsOf(chargebacks.map(({ disputeId }) => disputeId)),
    source_bankcode: null,
    created_at: createdAt,
  };
}

/** A transaction as a line of its settlement. */
export function settlementLine(account: Account, payment: Payment) {
  const dutyKobo = stampDutyKobo(payment.paidKobo!);
  return {
    customer_email: payment.email,
    flw_ref: flwRef(account, payment),
    tx_ref: payment.reference,
    id: payment.id,
    charged_amount: toNaira(payment.paidKobo!),
    app_fee: toNaira(payment.feeKobo! - dutyKobo),
    merchant_fee: 0,
    stampduty_charge: toNaira(dutyKobo),
    settlement_amount: toNaira(payment.paidKobo! - payment.feeKobo!),
    status: transactionStatus(payment),
    payment_entity: payment.channel,
    transaction_date: payment.paidAt!.toISOString(),
    currency: 'NGN',
    card_locale: payment.channel === 'card' ? 'LOCAL' : null,
    rrn: null,
    subaccount_settlement: 0,
  };
}

function idsOf(ids: (number | null)[]): number[] | null {
  const known = ids.filter((id) => id !== null);
  return known.length > 0 ? known : null;
}

function total(amounts: number[]): number {
  return amounts.reduce((sum, amount) => sum + amount, 0);
}
