import { accounts } from '../../../domain/journal/entities/posting.ts';
import { invalid } from '../../../domain/shared/problems.ts';
import { getBusiness } from '../../business/get-business.ts';
import { logoUpload } from '../../business/logo-image.ts';
import { removeLogo } from '../../business/remove-logo.ts';
import { accountWords } from '../../business/schemas.ts';
import { setLogo } from '../../business/set-logo.ts';
import { updateBusiness } from '../../business/update-business.ts';
import { accountNames } from '../../statements/account-names.ts';
import { koboOf } from '../amounts.ts';
import { calling } from '../forms.ts';
import { view } from '../request.ts';

export const businessView = view('business', {
  async load({ call, context }) {
    const business = await call(getBusiness);
    return {
      business,
      // Of this origin, under whichever name the dashboard was opened.
      logoSrc: business.logo_url?.replace(context.env.publicUrl, context.env.basePath),
      logoTypes: logoUpload.types.join(),
      ...{ accountNames, accountWords, sendsMail: context.mail !== null },
      timeZones: Intl.supportedValuesOf('timeZone'),
    };
  },
  forms: [
    {
      path: '/business/account-codes',
      submit: calling(updateBusiness, 'account_codes_changed', (values) => ({
        account_codes: Object.fromEntries(
          accounts.map((account) => [account, values[`account_codes.${account}`] || null]),
        ),
      })),
    },
    {
      path: '/business',
      asksForCode: true,
      submit: calling(updateBusiness, 'business_changed', (values) => ({
        name: values.name,
        time_zone: values.time_zone,
        requires_second_factor: values.requires_second_factor === 'yes',
        support_email: values.support_email || null,
        support_phone: values.support_phone || null,
        refunds_require_second_person: values.refunds_require_second_person === 'yes',
        refunds_require_two_owners_above_kobo: values.two_owners_above
          ? koboOf('refunds_require_two_owners_above_kobo', values.two_owners_above)
          : null,
        ...(values.mails
          ? {
              sends_receipts: values.sends_receipts === 'yes',
              sends_payment_links: values.sends_payment_links === 'yes',
            }
          : {}),
      })),
    },
    {
      path: '/business/logo',
      file: 'logo',
      async submit({ call, file }) {
        if (!file) throw invalid({ logo: 'must be chosen first' });
        if (file.length > logoUpload.maxBytes) throw invalid({ logo: 'must be at most 200 kB' });
        await call(setLogo, { body: file });
        return { notice: 'logo_changed' };
      },
    },
    { path: '/business/logo/remove', submit: calling(removeLogo, 'logo_removed') },
  ],
});
