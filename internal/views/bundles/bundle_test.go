package bundles

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/bundle"
	"sanad/internal/views/viewtest"
	"sanad/internal/words"
)

// onBundle returns a bundle with every kind of decision about its evidence.
func onBundle() Input {
	at, cut, rows := time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC), 40, 10_000
	item := func(id, kind, text string, change func(*bundle.Item)) bundle.Item {
		x := bundle.Item{EvidenceID: id, EvidenceType: kind, SourceRef: bundle.SourceRef{LakeURI: "docs/<b>.md"},
			Content: text, ByteCount: len(text), ContentSHA256: strings.Repeat("a", 64)}
		change(&x)
		return x
	}
	stored := bundle.Stored{
		Row: bundle.Row{BundleID: "550e8400-e29b-51d4-a716-446655440000", CreatedAt: at, MadeBy: "u1",
			Items: 60, Bytes: 1234, Types: map[string]int{"inline_text": 3, "sql_result": 1}, Redacted: true},
		BuildVersion: "2.0", Policy: bundle.DefaultPolicy(),
		Page: []bundle.Item{
			item("inline:0", bundle.InlineText, "<script>alert(1)</script> إجازة", func(x *bundle.Item) {
				x.Metadata.Bounding = bundle.Bounding{Applied: true, OriginalSize: 99, BoundedSize: 40,
					TruncationPoint: &cut}
				x.Metadata.Redaction = &bundle.Redaction{Applied: true, Kinds: map[string]int{"email": 2, "iban": 1}}
				x.FullRef = &bundle.FullRef{LakeURI: "evidence/full/x.txt", Size: 99, SHA256: "bb"}
			}),
			item("sql:1:0", bundle.SQLResult, strings.Repeat("س", evidenceShown+1), func(x *bundle.Item) {
				x.Metadata.Sampling = &bundle.Sampling{Strategy: "first_last", RowsTotal: rows, RowsShown: 100,
					RowRanges: [][2]int{{0, 50}, {9950, 10000}}, ColsTotal: 3, ColsShown: 2,
					ColumnsLeftOut: []string{"salary"}}
			}),
			item("lake:2:0", bundle.LakeHTTP, "", func(x *bundle.Item) {
				x.Metadata.HTTP = &bundle.HTTPMeta{Status: 404, MaskedHeaders: []string{"Set-Cookie"}}
				x.Metadata.Chunk = &bundle.Chunk{Index: 1, Count: 3, Start: 5, End: 9}
				x.Metadata.Repaired = 2
				x.Metadata.Redaction = &bundle.Redaction{}
			}),
		},
		Builds: []bundle.BuildRecord{
			{CreatedAt: at, Bounding: bundle.BundleBounding{OriginalCount: 61, FinalCount: 60},
				Dropped: []bundle.Dropped{{EvidenceID: "inline:9", EvidenceType: "inline_text",
					Reason: bundle.OverItems}}},
			{CreatedAt: at, Failed: []bundle.Failed{bundle.Failure("evidence_refs.lake_text[0]", "",
				bundle.SourceRef{}, words.Msg("refused_lake_none"))}},
		},
		Linked: []bundle.Run{{ID: "judge/<i>", LinkedAt: at}},
	}
	return Input{Stored: stored, Names: map[string]string{"u1": "Noura"}, Limit: 50, Whole: "good"}
}

func TestBundlePageShowsEveryDecision(t *testing.T) {
	page := viewtest.Html(t, Show(NewPage(viewtest.ChromeAt("en", "/bundles/x"), onBundle())))
	for _, want := range []string{
		"Cut: the first 40 of 99 bytes", "e-mail address\u2069 2", "IBAN\u2069 1",
		"100 of 10,000 rows were given: the first and the last", "1–50", "9,951–10,000", "2 of 3 columns", "salary",
		"HTTP status 404", "Set-Cookie", "Part 2 of 3: bytes 5 to 9", "places: 2", "Redaction found nothing",
		"evidence/full/x.txt", "Shown up to 4,000",
		"the limit of items was reached", "evidence_refs.lake_text[0]", "There is no such artifact", "judge/&lt;i&gt;",
		"&lt;script&gt;", "Noura", "As built 21 Nov", "differed", "Items 1 to 3 of 60",
		"?from=3", "run_id=judge%2F%3Ci%3E", "Checked just now",
	} {
		require.Contains(t, page, want)
	}
	require.NotContains(t, page, "<script>alert")
	require.NotContains(t, page, "bn_", "every word is there")
	require.Equal(t, 2, strings.Count(page, "evidence-text"), "an item without a text shows none")
}

func TestBundlePageInArabic(t *testing.T) {
	for _, whole := range []string{"good", "missing", "changed", "large", "away"} {
		in := onBundle()
		in.Whole = whole
		page := viewtest.Html(t, Show(NewPage(viewtest.ChromeAt("ar", "/bundles/x"), in)))
		require.Contains(t, page, `dir="rtl"`)
		require.NotContains(t, page, "bn_")
		require.Equal(t, whole == "missing" || whole == "changed", strings.Contains(page, "alert-bad"))
	}
}

func TestBundleList(t *testing.T) {
	row := onBundle().Row
	row.Dropped, row.Failed, row.Runs = 3, 0, 1
	for _, lang := range []string{"en", "ar"} {
		page := viewtest.Html(t, List(NewListPage(viewtest.ChromeAt(lang, "/bundles?run_id=a%26b&after=x"),
			ListInput{Rows: []bundle.Row{row}, Query: bundle.Query{RunID: "a&b", After: "x"}, Next: "n"})))
		require.Contains(t, page, "/bundles/"+row.BundleID)
		require.Contains(t, page, "/bundles?after=n&amp;run_id=a%26b")
		require.Contains(t, page, `value="a&amp;b"`)
		require.NotContains(t, page, "bn_")
		empty := viewtest.Html(t, List(NewListPage(viewtest.ChromeAt(lang, "/bundles"), ListInput{})))
		require.Contains(t, empty, "POST /api/v1/bundles")
		none := viewtest.Html(t, List(NewListPage(viewtest.ChromeAt(lang, "/bundles?run_id=x"), ListInput{Query: bundle.Query{RunID: "x"}})))
		require.NotContains(t, none, "POST /api/v1/bundles")
	}
}

func TestEveryKindOfEvidenceHasWords(t *testing.T) {
	for _, lang := range []string{"en", "ar"} {
		all := words.In(lang)
		for _, kind := range evidenceKinds {
			require.True(t, all.Has("bn_type_"+kind), "bn_type_"+kind)
		}
		for _, s := range []string{bundle.FirstOnly, bundle.FirstLast, bundle.Stride, "rows_per_item"} {
			require.True(t, all.Has("bn_sampling_"+s), "bn_sampling_"+s)
		}
		for _, r := range []string{bundle.OverItems, bundle.OverBytes, bundle.Duplicate} {
			require.True(t, all.Has("bn_out_"+r), "bn_out_"+r)
		}
	}
}

func TestReplayPage(t *testing.T) {
	c := bundle.Comparison{BundleID: "b1", BuiltID: "b2", BuildVersion: "2.0", Counts: map[string]int{"same": 1, "missing": 1, "differs": 1},
		Sources: []bundle.Compared{
			{Outcome: bundle.Same, EvidenceID: "inline:0", EvidenceType: bundle.InlineText, Was: bundle.InItems, Now: bundle.InItems},
			{Outcome: bundle.Missing, EvidenceID: "lake:1:0", EvidenceType: bundle.LakeText, Was: bundle.InItems, Now: bundle.InFailed,
				SourceRef: bundle.SourceRef{LakeURI: "docs/<b>.md"}, Reason: "There is no such artifact in the lake."},
			{Outcome: bundle.Differs, EvidenceID: "lake:2:0", EvidenceType: bundle.LakeText, Was: bundle.InDropped, Now: bundle.InDropped,
				Reason: bundle.OverRows, Differs: []bundle.Difference{{Field: "byte_count", Was: "7", Now: ""}}},
		}}
	page := viewtest.Html(t, Replay(NewReplayPage(viewtest.ChromeAt("en", "/bundles/b1/replay"), &c)))
	for _, want := range []string{"Not equal", "it was changed after it was built", "Can no longer be built",
		"On record: given; now: could not be used.", "docs/&lt;b&gt;.md", "the limit of SQL rows was reached", "byte_count"} {
		require.Contains(t, page, want)
	}
	require.Less(t, strings.Index(page, "lake:1:0"), strings.Index(page, "inline:0"), "what differs comes first")
	c.Equal, c.RecordHolds = true, true
	for len(c.Sources) <= replayShown {
		c.Sources = append(c.Sources, c.Sources[0])
	}
	page = viewtest.Html(t, Replay(NewReplayPage(viewtest.ChromeAt("en", "/bundles/b1/replay"), &c)))
	require.Contains(t, page, "Equal: the same id and the same items.")
	require.Contains(t, page, "The first 500 of 501 are shown")
}

// On an Arabic page, why a source failed and what was masked are said in Arabic.
func TestArabicBundleHasNoEnglishReasons(t *testing.T) {
	page := viewtest.Html(t, Show(NewPage(viewtest.ChromeAt("ar", "/bundles/x"), onBundle())))
	require.NotContains(t, page, "There is no such artifact")
	require.Contains(t, page, "لا يوجد في المستودع ملف بهذا المسار.")
	require.Contains(t, page, "حُجب: \u2068بريد إلكتروني\u2069 2، \u2068رقم حساب دولي (آيبان)\u2069 1.")
}
