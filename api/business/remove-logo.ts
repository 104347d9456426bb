import { removeLogo as deleteLogo } from '../../domain/accounts/tenant/logo.ts';

import { route } from '../http/route.ts';
import { managerOf } from '../members/manager.ts';
import { readBusiness } from './read-business.ts';
import { business } from './schemas.ts';

export const removeLogo = route({
  method: 'delete',
  path: '/business/logo',
  operationId: 'removeLogo',
  summary: 'Remove the logo of your business',
  credential: 'manage members',
  answers: { 200: business },
  async handle({ context, caller }) {
    const by = managerOf(await caller());
    return context.inTx(async (tx) => {
      await deleteLogo(tx, by);
      return { status: 200, body: await readBusiness(tx, by.tenantId, context.env) };
    });
  },
});
