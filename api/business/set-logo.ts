import { setLogo as writeLogo } from '../../domain/accounts/tenant/logo.ts';

import { route } from '../http/route.ts';
import { drawLogo, logoUpload } from './logo-image.ts';
import { changeOfBusiness } from './read-business.ts';
import { business } from './schemas.ts';

export const setLogo = route({
  method: 'put',
  path: '/business/logo',
  operationId: 'setLogo',
  summary: 'Give your business a logo, which payers see; the body is the picture',
  credential: 'manage members',
  image: { ...logoUpload, field: 'logo' },
  answers: { 200: business },
  async handle(request) {
    const { tenantId } = await request.caller();
    const png = await drawLogo(tenantId, request.body as Buffer);
    return changeOfBusiness(request, (tx, by) => writeLogo(tx, by, png));
  },
});
