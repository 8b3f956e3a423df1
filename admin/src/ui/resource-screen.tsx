import { PlusOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { type ReactNode, useState } from 'react';
import { useCan } from '#admin/lib/viewer.ts';
import { createLabelOf, type Resource } from './resource.ts';
import { ResourceForm } from './resource-form.tsx';
import { Table } from './resource-table.tsx';
import type { Row } from './row-actions.tsx';
import { Screen } from './screen.tsx';

interface CreateButtonProps<T extends Row, V extends object, A> {
  resource: Resource<T, V, A>;
  type?: 'primary';
}

/** Button that opens the form for a new row; hidden without the permission. */
export function CreateButton<T extends Row, V extends object, A>(props: CreateButtonProps<T, V, A>) {
  const { resource, type } = props;
  const [isOpen, setOpen] = useState(false);
  const can = useCan();
  if (resource.create === undefined || !can(resource.create.permission)) return null;
  return (
    <>
      <Button type={type} icon={<PlusOutlined aria-hidden />} onClick={() => setOpen(true)}>
        {createLabelOf(resource)}
      </Button>
      <ResourceForm resource={resource} subject={isOpen ? 'new' : undefined} onClose={() => setOpen(false)} />
    </>
  );
}

/** The table of a resource as a part of a screen; the create button is in its toolbar. */
export const ResourceTable = <T extends Row, V extends object, A>(resource: Resource<T, V, A>) => (
  <Table resource={resource} extra={<CreateButton resource={resource} />} />
);

interface ResourceScreenProps<T extends Row, V extends object, A>
  extends Omit<Resource<T, V, A>, 'noun' | 'title'> {
  title: string;
  intro?: ReactNode;
  /** Default: the title. */
  noun?: string;
  /** Before the create button. */
  actions?: ReactNode;
  /** Between the heading and the table. */
  children?: ReactNode;
}

export function ResourceScreen<T extends Row, V extends object, A>(props: ResourceScreenProps<T, V, A>) {
  const { title, intro, actions, children, ...rest } = props;
  const resource: Resource<T, V, A> = { noun: title, ...rest };
  return (
    <Screen
      title={title}
      intro={intro}
      actions={
        <>
          {actions}
          <CreateButton resource={resource} type="primary" />
        </>
      }
    >
      {children}
      <Table resource={resource} />
    </Screen>
  );
}
