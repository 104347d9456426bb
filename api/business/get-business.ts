import { findBusiness } from '../../domain/accounts/tenant/business.ts';
import { route } from '../http/route.ts';
import { business, businessView } from './schemas.ts';

export const getBusiness = route({
  method: 'get',
  path: '/business',
  operationId: 'getBusiness',
  summary: 'Read the settings of your business',
  credential: 'read',
  answers: { 200: business },
  async handle({ context, caller }) {
    const { tenantId } = await caller();
    return { status: 200, body: businessView(await findBusiness(context.db, tenantId)) };
  },
});
