import { setLogo as writeLogo } from '../../domain/accounts/tenant/logo.ts';

import { route } from '../http/route.ts';
import { managerOf } from '../members/manager.ts';
import { drawLogo, logoUpload } from './logo-image.ts';
import { readBusiness } from './read-business.ts';
import { business } from './schemas.ts';

export const setLogo = route({
  method: 'put',
  path: '/business/logo',
  operationId: 'setLogo',
  summary: 'Give your business a logo, which payers see; the body is the picture',
  credential: 'manage members',
  image: { ...logoUpload, field: 'logo' },
  answers: { 200: business },
  async handle({ context, caller, body }) {
    const by = managerOf(await caller());
    const png = await drawLogo(by.tenantId, body as Buffer);
    return context.inTx(async (tx) => {
      await writeLogo(tx, by, png);
      return { status: 200, body: await readBusiness(tx, by.tenantId, context.env) };
    });
  },
});
