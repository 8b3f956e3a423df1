import type { ComponentProps, ReactNode } from 'react';
import { Link } from '../router/router.tsx';
import { buttonClass } from './button.tsx';
import { Empty } from './empty.tsx';
import { Layers } from './layers.tsx';

interface NothingYetProps extends Omit<ComponentProps<typeof Empty>, 'small' | 'picture' | 'children'> {
  /** One sentence or two; or `children`. */
  text?: string;
  children?: ReactNode;
  /** With a link to home, where there is something to begin with. */
  leadsHome?: boolean;
}

const toHome = (
  <Link to="/home" className={buttonClass()}>
    去首页看看
  </Link>
);

/** In the place of a list without rows. */
export const NothingYet = ({ leadsHome = false, text, children, ...rest }: NothingYetProps) => (
  <Empty small picture={<Layers />} actions={leadsHome ? toHome : undefined} {...rest}>
    {text === undefined ? children : <p>{text}</p>}
  </Empty>
);
