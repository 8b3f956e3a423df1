import { asCallError, errorMessageOf } from '@mozhan/client/errors.ts';
import { isWebAddress } from '@mozhan/client/web-address.ts';
import { excessCharacters } from '@mozhan/contract/content-length.ts';
import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import type { Declaration } from '@mozhan/contract/essays.ts';
import { addMissingScheme, WEB_ADDRESS_MESSAGE } from '@mozhan/contract/web-address.ts';
import { useStoreValue } from '@mozhan/editor/store.ts';
import { useRef, useState } from 'react';
import { type Draft, fieldLabels } from '#web/features/writing/draft.ts';
import type { EditorModel } from '#web/features/writing/editor-model.ts';
import { useApi, useApp } from '#web/lib/app-context.ts';
import { formatDateTime } from '#web/lib/format.ts';
import { useSite } from '#web/lib/queries.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Drawer } from '#web/ui/drawer.tsx';
import { ChoiceGroup, Field, SelectField, SwitchField, TextArea } from '#web/ui/field.tsx';
import { toast } from '#web/ui/toast.tsx';
import { AccessField } from './access-field.tsx';
import { AttachmentsField } from './attachments-field.tsx';
import { ColumnField } from './column-field.tsx';
import { CoverField } from './cover-field.tsx';
import { submitWithDrawings } from './draw-diagrams.ts';
import styles from './publish-drawer.module.css';
import { ReaderView } from './reader-view.tsx';
import { SlugField, useSlug } from './slug-field.tsx';
import { type MendableField, SubmissionHints } from './submission-hints.tsx';
import { TagsField } from './tags-field.tsx';

const declarations: { value: Declaration; label: string }[] = [
  { value: 'none', label: '无需声明' },
  { value: 'ai-assisted', label: '使用了 AI 辅助' },
  { value: 'ai-generated', label: '由 AI 生成' },
  { value: 'fiction', label: '虚构内容' },
  { value: 'reprint', label: '转载，注明来源' },
];

/** Shows Beijing time, whatever the time zone of the browser. */
const toBeijingTime = (iso: string | null): string =>
  iso === null ? '' : formatDateTime(iso).slice(0, 16).replace(' ', 'T');
const fromBeijingTime = (text: string): string | null =>
  text === '' ? null : new Date(`${text}:00+08:00`).toISOString();

type Errors = Record<string, string>;

function findMissingFields({ title, categoryId, content }: Draft): Errors {
  const excess = excessCharacters(content);
  return {
    ...(title.trim() === '' ? { title: '请写一个标题' } : {}),
    ...(categoryId === null ? { categoryId: '请选择分类' } : {}),
    ...(content.trim() === '' ? { content: '正文还是空的' } : {}),
    ...(excess > 0 ? { content: `超出 ${excess.toLocaleString('zh-CN')} 个字符，请先删减` } : {}),
  };
}

interface PublishDrawerProps {
  editor: EditorModel;
  onOpenChange: (open: boolean) => void;
}

const UPLOADING = '封面或附件还没有传完，请稍等';

/** Edits all fields except the text, and submits the essay for audit. */
export function PublishDrawer({ editor, onOpenChange }: PublishDrawerProps) {
  const { essay, pictures } = editor;
  const mendable = useRef<Partial<Record<MendableField, HTMLElement | null>>>({});
  const api = useApi();
  const { basePath } = useApp();
  const { categories } = useSite();
  const draft = useStoreValue(essay.fields);
  const statusInfo = useStoreValue(essay.statusInfo);
  const save = useStoreValue(essay.autosave);
  const [errors, setErrors] = useState<Errors>({});
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);
  const [source, setSource] = useState(draft.source);
  const slug = useSlug(essay);
  const visibleErrors: Errors = { ...(save.kind === 'refused' ? save.fields : {}), ...errors };

  function set(changes: Partial<Draft>): void {
    setErrors(Object.fromEntries(Object.entries(errors).filter(([name]) => !(name in changes))));
    essay.set(changes);
  }

  async function submit(): Promise<void> {
    const foundErrors = findMissingFields(essay.read());
    if (draft.declaration === 'reprint' && draft.source === '') foundErrors.source = '转载请填写原文地址';
    if ('price' in errors) foundErrors.price = errors.price ?? '';
    setErrors(foundErrors);
    setProblem('');
    if (Object.keys(foundErrors).length > 0) return;
    if (pictures.unfinished().length > 0) return setProblem('还有图片没有传完，请稍等，或移除没有传上的');
    if (essay.hasUploads()) return setProblem(UPLOADING);
    setBusy(true);
    try {
      const id = (await essay.autosave.flush()) ? essay.autosave.saved()?.id : undefined;
      if (id === undefined) return setProblem('还没有保存到服务器，请稍后再提交');
      if (!(await slug.save())) return;
      const revision = statusInfo.status === ESSAY_STATUS.onShelf ? (true as const) : undefined;
      if (revision) {
        await essay.refresh();
        if (essay.statusInfo.get().revision === null) {
          toast('已保存，没有需要审核的修改');
          return onOpenChange(false);
        }
      }
      await submitWithDrawings({
        api,
        basePath,
        content: essay.read().content,
        change: { id, status: ESSAY_STATUS.waiting, revision },
      });
      toast('已提交审核');
      pictures.keepRemote();
      onOpenChange(false);
      await essay.refresh();
    } catch (error) {
      const { fields = {} } = asCallError(error) ?? {};
      setErrors(fields);
      setProblem(Object.keys(fields).length === 0 ? errorMessageOf(error) : '');
    } finally {
      setBusy(false);
    }
  }

  async function saveDraft(): Promise<void> {
    // Closing the drawer would end the upload of a cover.
    if (essay.hasUploads()) return setProblem(UPLOADING);
    if ((await essay.autosave.flush()) && (await slug.save())) {
      toast('已存为草稿');
      onOpenChange(false);
    }
  }

  const mendableRef = (field: MendableField) => (element: HTMLElement | null) => {
    mendable.current[field] = element;
  };

  function goToField(field: MendableField): void {
    const box = mendable.current[field];
    box?.scrollIntoView({ block: 'center' });
    box
      ?.querySelector<HTMLElement>('input:not([type=file]), textarea, button')
      ?.focus({ preventScroll: true });
  }

  function goToText(position: number): void {
    onOpenChange(false);
    editor.goTo(position);
  }

  // Errors of fields outside the drawer are displayed here.
  const fieldsOutside = (['title', 'content'] as const).filter((name) => visibleErrors[name] !== undefined);
  const options = categories.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <Drawer
      open
      onOpenChange={onOpenChange}
      title="发布文章"
      footer={
        <>
          <span className={styles.note}>
            {statusInfo.status === ESSAY_STATUS.onShelf ? '通过审核后替换原文' : '提交后进入审核'}
          </span>
          <Button onClick={saveDraft}>
            {statusInfo.status === ESSAY_STATUS.onShelf ? '只保存' : '存为草稿'}
          </Button>
          <Button variant="primary" busy={busy} onClick={submit}>
            提交审核
          </Button>
        </>
      }
    >
      <div className={styles.body}>
        {problem === '' ? null : <Alert tone="bad">{problem}</Alert>}
        {fieldsOutside.map((name) => (
          <Alert key={name} tone="bad">
            {fieldLabels[name]}：{visibleErrors[name]}
          </Alert>
        ))}
        <ChoiceGroup
          name="categoryId"
          legend="分类"
          options={options}
          value={draft.categoryId ?? ''}
          error={visibleErrors.categoryId}
          onChange={(categoryId) => set({ categoryId })}
        />
        <div ref={mendableRef('tags')}>
          <TagsField tags={draft.tags} error={visibleErrors.tags} onChange={(tags) => set({ tags })} />
        </div>
        <div ref={mendableRef('cover')}>
          <CoverField
            title={draft.title}
            cover={draft.cover}
            shareCover={draft.shareCover}
            error={visibleErrors.cover ?? visibleErrors.shareCover}
            onChange={set}
            onSending={essay.beginUpload}
          />
        </div>
        <div ref={mendableRef('summary')}>
          <TextArea
            name="summary"
            label="摘要"
            maxLength={200}
            value={draft.summary}
            error={visibleErrors.summary}
            hint="不写时取正文的开头。"
            onChange={({ target }) => set({ summary: target.value })}
          />
        </div>
        <AccessField
          draft={draft}
          errors={visibleErrors}
          onChange={set}
          onInvalidPrice={(message) => setErrors({ ...errors, price: message })}
        />
        <div>
          <SwitchField
            name="allowComment"
            label="允许评论"
            description={statusInfo.status === ESSAY_STATUS.onShelf ? '立即生效，不用审核' : undefined}
            checked={draft.allowComment}
            onChange={({ target }) => set({ allowComment: target.checked })}
          />
        </div>
        <ColumnField
          columnId={draft.columnId}
          error={visibleErrors.columnId}
          authorId={essay.author?.id}
          onChange={(columnId) => set({ columnId })}
        />
        <SelectField
          name="declaration"
          label="创作声明"
          options={declarations}
          value={draft.declaration}
          error={visibleErrors.declaration}
          onChange={({ target }) => set({ declaration: target.value as Declaration })}
        />
        {draft.declaration === 'reprint' || draft.source !== '' ? (
          <Field
            name="source"
            label="原文地址"
            type="url"
            placeholder="https://"
            value={source}
            error={visibleErrors.source}
            onChange={({ target: { value } }) => {
              setSource(value);
              const address = addMissingScheme(value);
              if (address === '' || isWebAddress(address)) set({ source: address });
              else setErrors({ ...errors, source: WEB_ADDRESS_MESSAGE });
            }}
            onBlur={() => setSource(addMissingScheme(source))}
          />
        ) : null}
        <Field
          name="scheduledAt"
          label="上架时间"
          type="datetime-local"
          value={toBeijingTime(draft.scheduledAt)}
          error={visibleErrors.scheduledAt}
          hint="北京时间。审核通过后，到这个时间自动上架；空着则通过后由你上架。"
          aside={
            draft.scheduledAt === null ? null : (
              <Button variant="ghost" size="small" onClick={() => set({ scheduledAt: null })}>
                清除
              </Button>
            )
          }
          onChange={({ target }) => set({ scheduledAt: fromBeijingTime(target.value) })}
        />
        <SlugField state={slug} isPublic={statusInfo.status === ESSAY_STATUS.onShelf} />
        <AttachmentsField
          essay={essay}
          error={visibleErrors.attachments}
          onChange={(attachments) => set({ attachments })}
        />
        <ReaderView essay={essay} />
        <SubmissionHints editor={editor} draft={draft} onField={goToField} onText={goToText} />
      </div>
    </Drawer>
  );
}
