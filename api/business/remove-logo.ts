import { removeLogo as deleteLogo } from '../../domain/accounts/tenant/logo.ts';

import { route } from '../http/route.ts';
import { changeOfBusiness } from './read-business.ts';
import { business } from './schemas.ts';

export const removeLogo = route({
  method: 'delete',
  path: '/business/logo',
  operationId: 'removeLogo',
  summary: 'Remove the logo of your business',
  credential: 'manage members',
  answers: { 200: business },
  handle: (request) => changeOfBusiness(request, deleteLogo),
});
