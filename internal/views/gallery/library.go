package gallery

import (
	"slices"
	"strings"

	"sanad/internal/domain/erasure"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/library"
	"sanad/internal/domain/pack"
	"sanad/internal/domain/text/redline"
	ledgerviews "sanad/internal/views/ledger"
	libraryviews "sanad/internal/views/library"
	packsviews "sanad/internal/views/packs"
	"sanad/internal/views/ui"
)

// libraryDocuments are documents of the library, the last one of huge names.
var libraryDocuments = []library.Document{
	{ID: "d", Name: "Leave policy", Folder: "HR/Policies", Tags: []string{"leave", "hr"}, Version: 3,
		ChangedAt: galleryDay},
	{ID: "e", Name: "سياسة الإجازات", Version: 1, ChangedAt: galleryDay},
	{ID: "f", Name: hugeText, Folder: hugeWord, Version: 12, Tags: []string{hugeWord, "hr", "إجازات"},
		ChangedAt: galleryDay},
}

// galleryLibrary are the pages of the library in their states, and what sessions take from it.
func galleryLibrary(c *ui.Chrome) []Sample {
	list := func(rows []library.Document, q library.Query) *libraryviews.ListPage {
		return libraryviews.NewListPage(*c, libraryviews.ListInput{Rows: rows, Query: q})
	}
	versions := []library.Version{
		{No: 3, Filename: "leave-2026.pdf", Size: 240_000, CreatedBy: "n", CreatedAt: galleryDay},
		{No: 2, Filename: hugeWord + ".pdf", Size: 9_000_000, CreatedBy: "n", CreatedAt: galleryDay},
		{No: 1, Filename: "leave.pdf", Size: 800, CreatedBy: "n", CreatedAt: galleryDay}}
	page := func(chrome ui.Chrome, d int, versions []library.Version, uses library.Uses) *libraryviews.Page {
		return libraryviews.NewPage(chrome, libraryviews.Input{Document: &libraryDocuments[d], Versions: versions,
			Names: map[string]string{"n": "Noura Al-Harbi"}, Uses: &uses})
	}
	rested := library.Uses{Sessions: 3, Packs: 1, Rows: []library.Use{
		{SessionID: "s", Title: "Answer about leave", Version: 3},
		{SessionID: "t", Title: "إجابة عن الإجازات", Version: 2, Packs: []library.PackUse{{ID: "p", Title: "Credit limit"}},
			Cited: []library.Cited{{Claim: 1, Words: "15 days of annual leave", Now: library.Lost},
				{Claim: 2, Words: "مدة الإشعار شهر واحد", Now: library.Moved, At: library.Passage{Page: 4}},
				{Claim: 3, Words: "A doctor's note is needed.", Now: library.Same}}},
		{SessionID: "u", Title: hugeText, Version: 1, Cut: true,
			Cited: []library.Cited{{Claim: 9, Words: hugeText, Now: library.Moved}}},
	}}
	attached := library.Uses{Packs: 3, AttachedMore: true, Attached: []library.PackUse{
		{ID: "p", Title: "Credit limit", State: "signed_off", Version: 3},
		{ID: "q", Title: rtlText, State: "draft", Version: 2}, {ID: "r", Title: hugeWord, State: "in_review", Version: 1}}}
	auditor := *c
	auditor.May = ui.May{ReadLibrary: true, Audit: true}
	held := libraryviews.NewPage(*c, libraryviews.Input{Document: &libraryDocuments[0], Uses: &library.Uses{},
		Hold: &erasure.Hold{Kind: erasure.Library, ObjectID: "d", Held: true, At: galleryDay, Reason: rtlText}})
	mayErase := *c
	mayErase.May.Erase = true
	newest := page(*c, 0, versions, rested)
	out := []Sample{
		{State: "the library, empty", Body: libraryviews.Found(list(nil, library.Query{}))},
		{State: "the library, nothing matches", Body: libraryviews.Found(list(nil, library.Query{Words: "pension"}))},
		{State: "the library, one document", Body: libraryviews.Found(list(libraryDocuments[:1], library.Query{}))},
		{State: "the library, several documents", Body: libraryviews.Found(list(libraryDocuments, library.Query{}))},
		{State: "a document with one version", Body: libraryviews.Versions(page(*c, 1, versions[2:], library.Uses{}))},
		{State: "a document with newer versions", Body: libraryviews.Versions(newest)},
		{State: "a document's versions, for an auditor",
			Body: libraryviews.Versions(page(auditor, 0, versions, library.Uses{}))},
		{State: "a document under legal hold", Body: libraryviews.Held(held)},
		{State: "a document that may be erased", Body: libraryviews.Held(page(mayErase, 0, versions, library.Uses{}))},
		{State: "what rests on a document", Body: libraryviews.Uses(newest)},
		{State: "what rests on a document: nothing", Body: libraryviews.Uses(page(*c, 0, versions, library.Uses{}))},
		{State: "what rests on a document: packs that have its file, of which not all are listed",
			Body: libraryviews.Uses(page(*c, 0, versions, attached))},
		{State: "a document, erased (410)", Body: ui.ErrorBody(ui.NewErrorPage(*c, 410, c.Erased(&erasure.Request{
			Kind: erasure.Library, ObjectID: "d", ConfirmedAt: galleryDay, Reason: rtlText})))},
	}
	return slices.Concat(out, libraryCompared(c), libraryChosen(c), libraryInPacks(c))
}

// libraryCompared are comparisons of two versions.
func libraryCompared(c *ui.Chrome) []Sample {
	compared := func(state string, d *library.Document, r *library.Redline) Sample {
		return Sample{State: state, Body: libraryviews.Compared(libraryviews.NewComparePage(*c, libraryviews.CompareInput{
			Document: d, Redline: r,
			Versions: [2]library.Version{{No: 1, CreatedAt: galleryDay}, {No: 2, CreatedAt: galleryDay}}}))}
	}
	older := []library.Passage{
		{Page: 1, Heading: []string{"Leave"}, Text: "Employees have 15 days of annual leave.\n\nVisitors wear a badge.\n\n" +
			"Lockers are assigned.\n\nParking is free."},
		{Page: 2, Heading: []string{"إشعار"}, Text: "مدة الإشعار شهر واحد لجميع الدرجات."},
		{Page: 3, Text: hugeWord},
	}
	newer := []library.Passage{
		{Page: 1, Heading: []string{"Leave"}, Text: strings.Replace(older[0].Text, "15 days", "20 days", 1)},
		{Page: 2, Heading: []string{"إشعار"}, Text: "مدة الإشعار شهران للدرجتين (A) و(B)."},
		{Page: 4, Text: hugeText},
	}
	long := library.NewRedline(older[2:], newer[2:])
	long.Cut, long.Coarse = true, true
	one := libraryDocuments[1]
	return []Sample{
		compared("two versions compared", &libraryDocuments[0], library.NewRedline(older, newer)),
		compared("two versions, the same words", &libraryDocuments[0], library.NewRedline(older, older)),
		compared("two versions, only the beginning, coarse", &libraryDocuments[2], long),
		compared("a document with nothing to compare", &one, nil),
		{State: "a paragraph that was removed and one that was added", Body: ui.Redline(c, []ui.RedlinePart{
			{Place: hugeText, Pieces: redline.Paragraph{{Op: redline.Removed, Text: hugeText}}},
			{LeftOut: c.N("redline_left_out", 12)},
			{Place: "صفحة 3", Pieces: redline.Paragraph{{Op: redline.Added, Text: rtlText}}},
		})},
	}
}

// libraryChosen are the choice from the library in forms, and what a session says of newer versions.
func libraryChosen(c *ui.Chrome) []Sample {
	chosen := func(state string, in ui.LibraryOffer) Sample {
		in.On = true
		return Sample{State: state, Body: ui.ChooseFromLibrary(c, ui.NewLibraryChoice(c, in, "/sessions/new"))}
	}
	newer := func(state string, n int) Sample {
		var all []library.Newer
		for i := range n {
			all = append(all, library.Newer{DocumentID: "d", Ref: library.Ref{ID: "d", No: 1}, Newest: 3,
				Name: libraryDocuments[i].Name})
		}
		of := samplePart(&ledger.Session{ID: "s", Title: "Answer about leave"})
		return Sample{State: state, Body: ledgerviews.NewerNotice(ledgerviews.NewSessionPage(*c,
			ledgerviews.SessionInput{LedgerPart: of, Newer: all, Open: -1}))}
	}
	names := map[string]library.Document{"d": libraryDocuments[0]}
	return []Sample{
		chosen("choosing from the library, folded", ui.LibraryOffer{Rows: libraryDocuments}),
		chosen("choosing from the library, searched, one chosen", ui.LibraryOffer{Rows: libraryDocuments, Names: names,
			Chosen: []string{"d"}, Query: library.Query{Words: "leave"}, Folders: []string{"HR/Policies", hugeWord}, Next: "x"}),
		chosen("choosing from the library, nothing found, a choice that is gone", ui.LibraryOffer{Chosen: []string{"gone"},
			Query: library.Query{Words: hugeWord, Tag: rtlText}}),
		newer("a session, the library has a newer version", 1),
		newer("a session, the library has newer versions of two documents", 2),
	}
}

// libraryInPacks are the choice of files for a pack: where it is made, and where its draft is corrected.
func libraryInPacks(c *ui.Chrome) []Sample {
	offer := ui.LibraryOffer{On: true, Rows: libraryDocuments, Folders: []string{"HR/Policies"}}
	chosen := offer
	chosen.Chosen, chosen.Names = []string{"d"}, map[string]library.Document{"d": libraryDocuments[0]}
	draft := func(state string, in packsviews.DraftInput) Sample {
		in.Decision = &pack.Header{DecisionID: "dec_1", Title: "Credit limit", AgentName: "lender",
			DecidedAt: "2026-11-20T09:00:00Z"}
		in.Requirement = pack.Requirement{Level: pack.Mandatory, EffectiveClass: "A3", Approvers: 2}
		return Sample{State: state, Body: packsviews.DraftFor(packsviews.NewDraftPage(*c, in))}
	}
	mend := func(state string, in packsviews.MendInput) Sample {
		in.Form = "attach"
		in.Pack = &pack.Pack{Content: pack.Content{PackID: "pack_0123456789abcdef", Attachments: []pack.Attachment{
			{Name: "leave-2026.pdf", MediaType: "application/pdf", Size: 240_000, SHA256: strings.Repeat("ab", 32)}}},
			Life: pack.Life{PackID: "pack_0123456789abcdef", State: pack.Draft}}
		return Sample{State: state, Body: packsviews.MendFiles(packsviews.NewMendPage(*c, in))}
	}
	large := &ui.FormFault{Field: "library", Word: "attach_library", Args: []any{"Name", hugeWord, "N", 10}}
	return []Sample{
		draft("a pack is made, nothing of the library chosen", packsviews.DraftInput{Library: offer}),
		draft("a pack is made, a document chosen", packsviews.DraftInput{Library: chosen}),
		mend("files of a draft, a document chosen after a search", packsviews.MendInput{Library: chosen, Again: true,
			Reason: rtlText}),
		mend("files of a draft, a document refused (413)", packsviews.MendInput{Library: chosen, Fault: large}),
	}
}
