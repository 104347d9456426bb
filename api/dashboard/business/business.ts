import { invalid } from '../../../domain/shared/problems.ts';
import { getBusiness } from '../../business/get-business.ts';
import { logoUpload } from '../../business/logo-image.ts';
import { removeLogo } from '../../business/remove-logo.ts';
import { setLogo } from '../../business/set-logo.ts';
import { updateBusiness } from '../../business/update-business.ts';
import type { Form, View } from '../request.ts';

/** The settings of the business. */
export const businessView: View = {
  path: '/business',
  title: 'Business',
  template: 'business/business',
  section: 'business',
  permission: 'manage members',
  async load({ call, context }) {
    const business = await call(getBusiness);
    return {
      business,
      // Of this origin, under whichever name the dashboard was opened.
      logoSrc: business.logo_url?.replace(context.env.publicUrl, context.env.basePath),
      logoTypes: logoUpload.types.join(),
      timeZones: Intl.supportedValuesOf('timeZone'),
    };
  },
};

export const changeBusinessForm: Form = {
  path: '/business',
  view: businessView,
  permission: 'manage members',
  isConfirmed: true,
  async submit({ call, values }) {
    const {
      name,
      time_zone,
      requires_second_factor: demand,
      support_email,
      support_phone,
    } = values;
    const body = {
      name,
      time_zone,
      requires_second_factor: demand === 'yes',
      support_email: support_email || null,
      support_phone: support_phone || null,
    };
    await call(updateBusiness, { body });
    return { to: '/business', notice: 'business_changed' };
  },
};

export const setLogoForm: Form = {
  path: '/business/logo',
  view: businessView,
  permission: 'manage members',
  file: 'logo',
  async submit({ call, file }) {
    if (!file) throw invalid({ logo: 'must be chosen first' });
    if (file.length > logoUpload.maxBytes) throw invalid({ logo: 'must be at most 200 kB' });
    await call(setLogo, { body: file });
    return { to: '/business', notice: 'logo_changed' };
  },
};

export const removeLogoForm: Form = {
  path: '/business/logo/remove',
  view: businessView,
  permission: 'manage members',
  async submit({ call }) {
    await call(removeLogo);
    return { to: '/business', notice: 'logo_removed' };
  },
};
