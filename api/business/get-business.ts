import { route } from '../http/route.ts';
import { readBusiness } from './read-business.ts';
import { business } from './schemas.ts';

export const getBusiness = route({
  method: 'get',
  path: '/business',
  operationId: 'getBusiness',
  summary: 'Read the settings of your business',
  credential: 'read',
  answers: { 200: business },
  async handle({ context, caller }) {
    const { tenantId } = await caller();
    return { status: 200, body: await readBusiness(context.db, tenantId, context.env) };
  },
});
