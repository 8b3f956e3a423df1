import type { ComponentProps, ReactNode } from 'react';
import { Link } from '../router/router.tsx';
import { buttonClass } from './button.tsx';
import { Empty } from './empty.tsx';
import { EmptyIllustration } from './empty-illustration.tsx';

interface EmptyListProps extends Omit<ComponentProps<typeof Empty>, 'small' | 'picture' | 'children'> {
  /** Explanation; alternatively `children`. */
  text?: string;
  children?: ReactNode;
  withHomeLink?: boolean;
}

const homeLink = (
  <Link to="/home" className={buttonClass()}>
    去首页看看
  </Link>
);

export const EmptyList = ({ withHomeLink = false, text, children, ...rest }: EmptyListProps) => (
  <Empty small picture={<EmptyIllustration />} actions={withHomeLink ? homeLink : undefined} {...rest}>
    {text === undefined ? children : <p>{text}</p>}
  </Empty>
);
