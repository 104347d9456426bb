import { type BusinessChange, changeBusiness } from '../../domain/accounts/tenant/business.ts';
import { normalisePhone } from '../../domain/shared/phone.ts';

import { route } from '../http/route.ts';
import { managerOf } from '../members/manager.ts';
import { readBusiness } from './read-business.ts';
import { business, type UpdateBusinessBody, updateBusinessBody } from './schemas.ts';

export const updateBusiness = route({
  method: 'patch',
  path: '/business',
  operationId: 'updateBusiness',
  summary: 'Change the settings of your business',
  credential: 'manage members',
  body: updateBusinessBody,
  answers: { 200: business },
  async handle({ context, caller, body }) {
    const by = managerOf(await caller());
    return context.inTx(async (tx) => {
      await changeBusiness(tx, by, changeOf(body));
      return { status: 200, body: await readBusiness(tx, by.tenantId, context.env) };
    });
  },
});

function changeOf({ name, support_phone: phone, ...rest }: UpdateBusinessBody): BusinessChange {
  return {
    ...rest,
    ...(name === undefined ? {} : { name: name.trim() }),
    ...(phone === undefined ? {} : { support_phone: phone && normalisePhone(phone) }),
  };
}
