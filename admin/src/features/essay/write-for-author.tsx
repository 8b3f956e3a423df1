import { EditOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useState } from 'react';
import { useApp } from '#admin/lib/app-context.ts';
import { Can } from '#admin/ui/can.tsx';
import { FormModal } from '#admin/ui/form-modal.tsx';
import { UserFilter } from '#admin/ui/user-filter.tsx';

/** Opens the editor of the site for a new essay of an author. */
export function WriteForAuthor() {
  const { basePath } = useApp();
  const [isOpen, setOpen] = useState(false);
  return (
    <Can permission="essay:edit">
      <Button icon={<EditOutlined aria-hidden />} onClick={() => setOpen(true)}>
        代作者写文章
      </Button>
      <FormModal<{ authorId?: string }>
        title="代作者写文章"
        intro={<p>在新的窗口打开编辑器。文章属于这位作者，版本会注明由你修改，作者会收到通知。</p>}
        action="打开编辑器"
        open={isOpen}
        onClose={() => setOpen(false)}
        values={{}}
        fields={[
          {
            name: 'authorId',
            kind: 'own',
            label: '作者',
            rules: [{ required: true, message: '请选择作者' }],
            control: <UserFilter label="作者" block />,
          },
        ]}
        submit={async ({ authorId }) => {
          window.open(`${basePath}/essay/edit.html?author=${authorId}`, '_blank', 'noopener');
        }}
      />
    </Can>
  );
}
