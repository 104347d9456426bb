import { type BusinessChange, changeBusiness } from '../../domain/accounts/tenant/business.ts';
import { normalisePhone } from '../../domain/shared/phone.ts';

import { route } from '../http/route.ts';
import { changeOfBusiness } from './read-business.ts';
import { business, type UpdateBusinessBody, updateBusinessBody } from './schemas.ts';

export const updateBusiness = route({
  method: 'patch',
  path: '/business',
  operationId: 'updateBusiness',
  summary: 'Change the settings of your business',
  credential: 'manage members',
  body: updateBusinessBody,
  answers: { 200: business },
  handle: (request) =>
    changeOfBusiness(request, (tx, by) => changeBusiness(tx, by, changeOf(request.body))),
});

function changeOf({ name, support_phone: phone, ...rest }: UpdateBusinessBody): BusinessChange {
  return {
    ...rest,
    ...(name === undefined ? {} : { name: name.trim() }),
    ...(phone === undefined ? {} : { support_phone: phone && normalisePhone(phone) }),
  };
}
