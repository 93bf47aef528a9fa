package bundle

import (
	"fmt"
	"slices"

	"sanad/internal/words"
)

const evidencePath = "job_input.extra_params.evidence"

// each calls use for each readable element of a list, and records the others as failed.
func each[T any](b *builder, path, evidenceType string, list List[T], use func(i int, path string, v T)) {
	if list.Not {
		b.fail(path, evidenceType, SourceRef{}, words.Msg(notAList))
		return
	}
	for i, v := range list.Items {
		at := fmt.Sprintf("%s[%d]", path, i)
		_, isBad := slices.BinarySearch(list.Bad, i)
		if isBad {
			b.fail(at, evidenceType, SourceRef{}, words.Msg(badElement))
			continue
		}
		use(i, at, v)
	}
}

func (b *builder) inline(list List[Inline]) {
	each(b, evidencePath, InlineText, list, func(i int, path string, v Inline) {
		if v.kept != nil {
			b.again(path, v.kept)
			return
		}
		ref := SourceRef{SourceURI: ofRequest}
		if v.SourceURI != "" {
			ref.SourceURI = b.masked(v.SourceURI)
		}
		if v.Text == "" {
			b.fail(path, InlineText, ref, words.Msg("reason_text"))
			return
		}
		s := source{id: inlineID(i), evidenceType: InlineText, ref: ref}
		s.text = b.clean(v.Text, &s.meta)
		b.add(s)
	})
}

func (b *builder) lakeTexts(list List[string]) {
	each(b, "evidence_refs.lake_text", LakeText, list, func(_ int, path string, uri string) {
		ref := SourceRef{LakeURI: uri}
		data, ok := b.fetch(path, LakeText, ref)
		if !ok {
			return
		}
		s := source{id: lakeID(data), evidenceType: LakeText, ref: ref, lake: stored(uri, data)}
		s.text = b.clean(string(data), &s.meta)
		b.add(s)
	})
}

func (b *builder) queryDefs(list List[QueryDef]) {
	each(b, "evidence_refs.sql_query_defs", SQLQueryDef, list, func(_ int, path string, v QueryDef) {
		if v.kept != nil {
			b.again(path, v.kept)
			return
		}
		ref := SourceRef{QueryKey: v.QueryKey}
		if v.SQL == "" {
			b.fail(path, SQLQueryDef, ref, words.Msg("reason_sql"))
			return
		}
		s := source{id: sqlDefID(v.SQL), evidenceType: SQLQueryDef, ref: ref}
		s.text = b.clean(v.SQL, &s.meta)
		b.add(s)
	})
}
