package gallery

import (
	"bytes"
	"context"
	"io"
	"strings"

	"github.com/a-h/templ"

	"sanad/internal/domain/pack"
	packsviews "sanad/internal/views/packs"
	"sanad/internal/views/ui"
)

// galleryMemo is the form in which the memo of a draft is written, in each of its states. Without a script it is the
// same with a button for the preview, which is in all of them.
func galleryMemo(c *ui.Chrome) []Sample {
	const words = "# Basis\n\nThe **hospital** has 310 beds [E1].\n\n1. Licence [E2]\n2. Budget\n\n> We need the beds."
	const arabic = "# الأساس\n\nلدى **المستشفى** 310 أسرّة [E1] وفق `crm.get_contact`.\n\n1. الترخيص [E2]\n2. الميزانية USD 1,200"
	full := pack.BilingualMemo{TitleEN: "Fit of the hospital", TitleAR: "ملاءمة المستشفى", ExecutiveSummaryEN: words,
		ExecutiveSummaryAR: arabic, BodyEN: words, BodyAR: arabic}
	long, unbroken, latin := full, full, full
	long.BodyEN, long.BodyAR = strings.Repeat(hugeText+"\n\n", 8), strings.Repeat(rtlText+"\n\n", 30)
	unbroken.TitleEN, unbroken.BodyEN, unbroken.BodyAR = hugeWord, hugeWord+" "+hugeWord, hugeWord
	latin.ExecutiveSummaryAR = "ملخص " + hugeText
	tooLong := full
	tooLong.BodyAR = strings.Repeat("ع", 50<<10) // 100 KB
	edit := func(m pack.BilingualMemo, sources int, change func(*packsviews.EditInput)) templ.Component {
		return packsviews.MemoForm(sampleDraft(c, m, sources, change))
	}
	returned := func(in *packsviews.EditInput) {
		in.Return = &pack.Return{Actor: "u2", Name: "Sara", At: "2026-11-20T10:00:00Z", Reason: pack.ReturnReasons("Not yet.",
			[]pack.ReturnNote{{Place: "memo.body_ar", Text: rtlText}, {Place: "sources[1]", Text: hugeWord}, {Place: "claims", Text: "Look at claim 4."}})}
	}
	refused := func(in *packsviews.EditInput) {
		in.Fault = &ui.FormFault{Field: "memo.body_ar", Word: "long_memo", Args: []any{"N", 32}}
	}
	return []Sample{
		{State: "memo, in both directions", Body: edit(full, 3, nil)},
		{State: "memo, empty, no evidence", Body: edit(pack.BilingualMemo{}, 0, nil)},
		{State: "memo, long, many sources", Body: edit(long, 40, nil)},
		{State: "memo, unbroken words", Body: edit(unbroken, 2, nil)},
		{State: "memo, Arabic that is mostly Latin", Body: edit(latin, 2, nil)},
		{State: "memo, 100 KB refused, words kept", Body: edit(tooLong, 2, refused)},
		{State: "memo, returned", Body: edit(full, 2, returned)},
		{State: "memo, stale preview: the server is out of reach", Body: oldPreview(edit(full, 2, nil))},
	}
}

// sampleDraft is a draft with a memo and sources, and with all that it breaks.
func sampleDraft(c *ui.Chrome, m pack.BilingualMemo, sources int, change func(*packsviews.EditInput)) *packsviews.EditPage {
	sure := 0.9
	x := &pack.Pack{
		Content: pack.Content{PackID: "pack_0123456789abcdef", Version: 2, Memo: m,
			Header: pack.Header{DecisionID: "dec_1", Title: "Fit of the hospital", AgentName: "matcher", Statement: "It fits.", ApprovalClass: "A2"}},
		Life: pack.Life{PackID: "pack_0123456789abcdef", State: pack.Draft, Revision: 4, Need: 1},
	}
	for i := range sources {
		name := []string{"Leave_Policy.pdf", "سجل الموردين المعتمدين", hugeWord}[i%3]
		x.Content.Sources = append(x.Content.Sources, pack.EvidenceSource{Source: name, URI: "file://policy.pdf", Confidence: &sure,
			RetrievedAt: "2026-11-20T09:00:00Z", Quote: pack.Quote{Excerpt: rtlText, ExcerptHash: pack.Hash([]byte(rtlText))}})
	}
	in := packsviews.EditInput{Pack: x, Faults: x.Content.Validate(nil)}
	if change != nil {
		change(&in)
	}
	return packsviews.NewEditPage(*c, in)
}

// oldPreview is the form as a script marks it while the server does not answer.
func oldPreview(form templ.Component) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		var drawn bytes.Buffer
		if err := form.Render(ctx, &drawn); err != nil {
			return err
		}
		_, err := io.WriteString(w, strings.ReplaceAll(drawn.String(), `class="memo-preview `, `class="memo-preview is-old `))
		return err
	})
}
