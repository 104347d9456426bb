import { type BusinessChange, changeBusiness } from '../../domain/accounts/tenant/business.ts';
import { changeAccountCodes } from '../../domain/journal/account-codes.ts';
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
    changeOfBusiness(request, async (tx, by) => {
      const { account_codes: codes = {}, ...settings } = request.body;
      await changeBusiness(tx, by, changeOf(settings));
      await changeAccountCodes(tx, by, codes);
    }),
});

type Settings = Omit<UpdateBusinessBody, 'account_codes'>;

function changeOf({ name, support_phone: phone, ...rest }: Settings): BusinessChange {
  return {
    ...rest,
    ...(name === undefined ? {} : { name: name.trim() }),
    ...(phone === undefined ? {} : { support_phone: phone && normalisePhone(phone) }),
  };
}
