package gallery

import (
	"sanad/internal/domain/library"
	libraryviews "sanad/internal/views/library"
	"sanad/internal/views/ui"
)

// galleryLibrary are the tables of the library: documents, versions, and what rests on them.
func galleryLibrary(c *ui.Chrome) []Sample {
	documents := []library.Document{
		{ID: "d", Name: "Leave policy", Folder: "HR/Policies", Tags: []string{"leave", "hr"}, Version: 3, ChangedAt: galleryDay},
		{ID: "e", Name: "سياسة الإجازات", Version: 1, ChangedAt: galleryDay}, {ID: "f", Name: hugeText, Folder: hugeWord, Version: 12,
			Tags: []string{hugeWord}, ChangedAt: galleryDay},
	}
	list := libraryviews.NewListPage(*c, libraryviews.ListInput{Rows: documents})
	page := libraryviews.NewPage(*c, libraryviews.Input{Document: &documents[0],
		Versions: []library.Version{{No: 3, Filename: "leave-2026.pdf", Size: 240_000, CreatedBy: "n", CreatedAt: galleryDay},
			{No: 2, Filename: hugeWord + ".pdf", Size: 9_000_000, CreatedBy: "n", CreatedAt: galleryDay}},
		Names: map[string]string{"n": "Noura Al-Harbi"},
		Uses: &library.Uses{Sessions: 3, Packs: 1, Rows: []library.Use{
			{SessionID: "s", Title: "Answer about leave", Version: 3},
			{SessionID: "t", Title: "إجابة عن الإجازات", Version: 2, Packs: []library.PackUse{{ID: "p", Title: "Credit limit"}},
				Cited: []library.Cited{{Claim: 1, Words: "15 days of annual leave", Now: library.Lost},
					{Claim: 2, Words: "مدة الإشعار شهر واحد", Now: library.Moved, At: library.Passage{Page: 4}},
					{Claim: 3, Words: "A doctor's note is needed.", Now: library.Same}}},
			{SessionID: "u", Title: hugeText, Version: 1, Cut: true, Cited: []library.Cited{{Claim: 9, Words: hugeText, Now: library.Moved}}},
		}}})
	return []Sample{
		{State: "documents of the library", Body: libraryviews.Documents(list)},
		{State: "versions of a document", Body: libraryviews.Versions(page)},
		{State: "what rests on a document", Body: libraryviews.UsesTable(page)},
	}
}
