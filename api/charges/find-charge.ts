import { findByMerchantReference } from '../../domain/payments/charge/find.ts';
import { checkoutOf } from '../../domain/payments/charge/row.ts';
import { Problem } from '../../domain/shared/problems.ts';
import { route } from '../http/route.ts';
import { checkout, findChargeQuery } from './schemas.ts';

export const findCharge = route({
  method: 'get',
  path: '/charges',
  operationId: 'findCharge',
  summary: 'Find the charge with a merchant reference',
  credential: 'read',
  answers: { 200: checkout },
  refusals: ['not_found'],
  query: findChargeQuery,
  async handle({ context, caller, query }) {
    const charge = await findByMerchantReference(
      context.db,
      await caller(),
      query.merchant_reference,
    );
    if (!charge)
      throw new Problem('not_found', 'No charge has this merchant_reference in this mode.');
    return { status: 200, body: checkoutOf(charge, context.env.publicUrl) };
  },
});
