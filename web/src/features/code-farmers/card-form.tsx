import { queryFilterOf } from '@mozhan/client/query-filter.ts';
import type { StoredUser } from '@mozhan/client/session.ts';
import { isWebAddress } from '@mozhan/client/web-address.ts';
import type { Farmer } from '@mozhan/contract/code-farmers.ts';
import { addMissingScheme, WEB_ADDRESS_MESSAGE } from '@mozhan/contract/web-address.ts';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { type FieldErrors, type FormValues, useForm } from '#web/lib/form.ts';
import { useRouter } from '#web/router/router.tsx';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field, FieldPair, SwitchField, TextArea } from '#web/ui/field.tsx';
import { toast } from '#web/ui/toast.tsx';
import { useUnsavedWarning } from '#web/ui/use-unsaved-warning.ts';
import { WebAddressField } from '#web/ui/web-address-field.tsx';
import styles from './card-editor.module.css';
import { FarmerCard } from './farmer-card.tsx';
import { ownFarmerQuery } from './farmer-query.ts';
import { SkillsField, useSkills } from './skills-field.tsx';

const names = ['skills', 'years', 'city', 'homepage', 'openToWork', 'intro'] as const;
type Name = (typeof names)[number];

const YEARS = /^\d{1,2}$/;
const MAX_YEARS = 60;

const toFields = (values: FormValues<Name>) => ({
  years: Number(values.years),
  city: values.city.trim(),
  homepage: addMissingScheme(values.homepage),
  openToWork: values.openToWork !== '',
  intro: values.intro.trim(),
});

function check({ years, homepage }: FormValues<Name>, skills: readonly string[]): FieldErrors<Name> {
  const isYears = YEARS.test(years.trim()) && Number(years) <= MAX_YEARS;
  const isPage = homepage.trim() === '' || isWebAddress(addMissingScheme(homepage));
  return {
    ...(skills.length === 0 && { skills: '请至少选一项技能' }),
    ...(!isYears && { years: `请填 0 到 ${MAX_YEARS} 的整数` }),
    ...(!isPage && { homepage: WEB_ADDRESS_MESSAGE }),
  };
}

const emptyCard = { skills: [], years: 0, city: '', homepage: '', openToWork: false, intro: '' };

interface CardFormProps {
  user: StoredUser;
  /** Null for a new card. */
  farmer: Farmer | null;
  onDone: () => void;
}

/** Form of the reader's own card, with a preview. */
export function FarmerCardForm({ user, farmer, onDone }: CardFormProps) {
  const api = useApi();
  const queryClient = useQueryClient();
  const { nameOf } = useSkills();
  const initialCard = farmer ?? emptyCard;
  const [skills, setSkills] = useState<readonly string[]>(initialCard.skills);
  const [typed, setTyped] = useState({
    years: initialCard.years,
    city: initialCard.city,
    homepage: initialCard.homepage,
    openToWork: initialCard.openToWork,
    intro: initialCard.intro,
  });

  const isChanged =
    String(skills) !== String(initialCard.skills) ||
    (Object.keys(typed) as (keyof typeof typed)[]).some((name) => typed[name] !== initialCard[name]);
  useUnsavedWarning(isChanged, useRouter());

  const { busy, errors, formError, field, props } = useForm({
    names,
    initial: { city: initialCard.city, homepage: initialCard.homepage, intro: initialCard.intro },
    check: (values) => check(values, skills),
    async submit(values) {
      const saved = await api('PUT core/code/farmer/', { ...toFields(values), skills: [...skills] });
      queryClient.setQueryData(ownFarmerQuery(api).queryKey, saved);
      void queryClient.invalidateQueries(queryFilterOf('GET core/code/farmer/'));
      toast('名片已保存');
      onDone();
    },
  });

  function onInput(event: FormEvent<HTMLFormElement>): void {
    props.onInput(event);
    const data = new FormData(event.currentTarget);
    const values = Object.fromEntries(names.map((name) => [name, String(data.get(name) ?? '')]));
    setTyped(toFields(values as FormValues<Name>));
  }

  const card = {
    ...typed,
    years: Number.isInteger(typed.years) ? typed.years : 0,
    skills: [...skills],
    skillNames: skills.map(nameOf),
    user: { ...user, isMember: false, title: '' },
  };

  return (
    <div className={styles.columns}>
      <form className={styles.form} {...props} onInput={onInput}>
        <SkillsField chosen={skills} error={errors.skills} onChange={setSkills} />
        <FieldPair>
          <Field
            {...field('years')}
            label="写了几年代码"
            inputMode="numeric"
            autoComplete="off"
            maxLength={2}
            defaultValue={farmer === null ? '' : initialCard.years}
          />
          <Field {...field('city')} label="城市" autoComplete="address-level2" maxLength={30} />
        </FieldPair>
        <WebAddressField {...field('homepage')} label="主页" />
        <TextArea
          {...field('intro')}
          label="一句话介绍"
          placeholder="在做什么，想找什么样的人聊"
          maxLength={200}
        />
        <SwitchField
          name="openToWork"
          label="在看机会"
          description="名片上会标出来，别人可以只看在看机会的人。"
          defaultChecked={initialCard.openToWork}
        />
        {formError ? <Alert tone="bad">{formError}</Alert> : null}
        <div className={styles.foot}>
          <Button type="submit" variant="primary" busy={busy}>
            {busy ? '正在保存…' : farmer === null ? '发布名片' : '保存'}
          </Button>
          <Button variant="ghost" onClick={onDone}>
            取消
          </Button>
        </div>
      </form>
      <section className={styles.preview} aria-labelledby="preview">
        <h3 id="preview">别人会看到</h3>
        <div className={styles.card}>
          <FarmerCard farmer={card} level="h4" />
        </div>
      </section>
    </div>
  );
}
