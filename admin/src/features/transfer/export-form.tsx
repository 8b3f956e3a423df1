import { App } from 'antd';
import { useApp } from '#admin/lib/app-context.ts';
import { FormModal } from '#admin/ui/form-modal.tsx';
import { UserFilter } from '#admin/ui/user-filter.tsx';

interface Values {
  scope: 'site' | 'author';
  authorId: string | undefined;
}

const scopes = [
  { value: 'site', label: '整站' },
  { value: 'author', label: '一位作者' },
];

interface ExportFormProps {
  open: boolean;
  onClose: () => void;
}

export function ExportForm({ open, onClose }: ExportFormProps) {
  const { api } = useApp();
  const { message } = App.useApp();
  return (
    <FormModal<Values>
      title="导出"
      open={open}
      onClose={onClose}
      values={{ scope: 'site', authorId: undefined }}
      fields={({ scope }) => [
        {
          name: 'scope',
          kind: 'choice',
          label: '范围',
          options: scopes,
          help:
            scope === 'site'
              ? '全部文章（含草稿）、图片、附件、专栏、分类、评论、页面、导航、友情链接和作者的公开资料；没有邮箱和密码'
              : '这位作者的全部文章（含草稿）、图片、附件和专栏',
        },
        scope === 'author' && {
          name: 'authorId',
          kind: 'own',
          label: '作者',
          control: <UserFilter label="作者" block />,
          rules: [{ required: true, message: '请选择作者' }],
        },
      ]}
      submit={async ({ scope, authorId }) => {
        const chosen = scope === 'author' && authorId !== undefined ? { authorId } : {};
        await api('POST core/sys/transfer/export', { scope, ...chosen });
        message.success('已开始导出，完成后可以下载');
      }}
      action="开始导出"
    />
  );
}
