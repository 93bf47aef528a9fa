package library_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/erasure"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/library"
	"sanad/internal/domain/text"
)

// add adds a document of a file.
func add(t testing.TB, b *dbtest.Board, name, text string) *library.Document {
	t.Helper()
	d, err := b.AddLibraryDocument(b.Ctx, b.Approver, &library.Document{Name: name}, versionOf(text), []byte(text), db.LibraryAnswering{})
	require.NoError(t, err)
	return d
}

func versionOf(text string) *library.Version {
	return &library.Version{Filename: "a.txt", MediaType: "text/plain", Passages: []library.Passage{{Text: text}}}
}

// take stores a session whose first document was taken from a version, with its file.
func take(t testing.TB, b *dbtest.Board, ref library.Ref, file string) *ledger.Session {
	t.Helper()
	return takeSized(t, b, ref, file, 3)
}

// takeSized is take for a session of n claims, which cite whole passages.
func takeSized(t testing.TB, b *dbtest.Board, ref library.Ref, file string, n int) *ledger.Session {
	t.Helper()
	s := dbtest.Identify(dbtest.SizedSession(n))
	s.Title = "Session " + s.ID
	s.Documents[0].Library = ref
	for i := range s.Claims {
		for j := range s.Claims[i].Matches {
			m := &s.Claims[i].Matches[j]
			m.Snippet = s.Documents[0].Chunks[m.Chunk.Chunk].Text
			m.Quote.Span = text.Span{End: text.Len(m.Snippet)}
		}
	}
	_, created, err := b.InsertSession(b.Ctx, b.Drafter, dbtest.Assess(s),
		[]db.Original{{Document: 0, MediaType: "text/plain", Data: []byte(file)}}, nil)
	require.NoError(t, err)
	require.True(t, created)
	return s
}

func fileOf(t *testing.T, b *dbtest.Board, document string) string {
	t.Helper()
	r, _, err := b.Original(b.Ctx, b.Tenant.ID, document)
	require.NoError(t, err)
	defer r.Close() //nolint:errcheck // only read
	data, err := io.ReadAll(r)
	require.NoError(t, err)
	return string(data)
}

func TestLibraryKeepsAFileOnce(t *testing.T) {
	b := dbtest.NewBoard(t)
	d := add(t, b, "Leave policy", "Leave is 15 days.")
	_, err := b.AddLibraryDocument(b.Ctx, b.Approver, &library.Document{Name: "Another"}, versionOf("x"),
		[]byte("Leave is 15 days."), db.LibraryAnswering{})
	var taken *library.Taken
	require.ErrorAs(t, err, &taken)
	require.Equal(t, library.Taken{Ref: library.Ref{ID: d.ID, No: 1}, Name: "Leave policy"}, *taken)
	dbtest.RequireKind(t, domain.Conflict, err)

	d, err = b.AddLibraryVersion(b.Ctx, b.Approver, d.ID, versionOf("Leave is 20 days."), []byte("Leave is 20 days."), db.LibraryAnswering{})
	require.NoError(t, err)
	require.Equal(t, 2, d.Version)
	_, err = b.AddLibraryVersion(b.Ctx, b.Approver, d.ID, versionOf("x"), []byte("Leave is 15 days."), db.LibraryAnswering{})
	require.ErrorAs(t, err, &taken)
	_, versions, err := b.LibraryDocument(b.Ctx, b.Tenant.ID, d.ID)
	require.NoError(t, err)
	_, texts, err := b.LibraryTexts(b.Ctx, b.Tenant.ID, d.ID, [2]int{1, 2})
	require.NoError(t, err)
	require.Equal(t, []any{1, "Leave is 15 days.", 2, "Leave is 20 days."},
		[]any{texts[0].No, texts[0].Passages[0].Text, texts[1].No, texts[1].Passages[0].Text})
	_, _, err = b.LibraryTexts(b.Ctx, b.Tenant.ID, d.ID, [2]int{1, 3})
	dbtest.RequireNotFound(t, err)
	require.Equal(t, []int{2, 1}, []int{versions[0].No, versions[1].No})
	require.Len(t, dbtest.OriginalFiles(t, b.Dir), 2, "no file of a refused version is left")

	first, second := take(t, b, library.Ref{ID: d.ID, No: 1}, "Leave is 15 days."),
		take(t, b, library.Ref{ID: d.ID, No: 1}, "Leave is 15 days.")
	require.Len(t, dbtest.OriginalFiles(t, b.Dir), 2, "sessions share the file")
	require.Equal(t, "Leave is 15 days.", fileOf(t, b, second.Documents[0].ID))
	got, err := b.Session(b.Ctx, b.Tenant.ID, first.ID)
	require.NoError(t, err)
	require.Equal(t, library.Ref{ID: d.ID, No: 1}, got.Documents[0].Library)
	_, err = b.VerifySession(b.Ctx, b.Tenant.ID, first.ID)
	require.NoError(t, err)
	require.Equal(t, []string{"library.added", "library.version_added"}, slices.DeleteFunc(b.Actions(t, b.Tenant.ID),
		func(a string) bool { return a != "library.added" && a != "library.version_added" }))
	b.LogHolds(t)
}

// A version that is uploaded twice at once is stored once; the other is told where it is.
func TestOneVersionUploadedTwiceAtOnce(t *testing.T) {
	b := dbtest.NewBoard(t)
	d := add(t, b, "Leave policy", "Leave is 15 days.")
	errs := make([]error, 8)
	won := dbtest.Together(len(errs), func(i int) bool {
		_, errs[i] = b.AddLibraryVersion(b.Ctx, b.Approver, d.ID, versionOf("Leave is 20 days."), []byte("Leave is 20 days."), db.LibraryAnswering{})
		return errs[i] == nil
	})
	require.Equal(t, 1, won)
	for _, err := range errs {
		var taken *library.Taken
		require.True(t, err == nil || errors.As(err, &taken) && taken.Ref == library.Ref{ID: d.ID, No: 2}, "%v", err)
	}
	require.Len(t, dbtest.OriginalFiles(t, b.Dir), 2)
	b.LogHolds(t)
}

func TestLibraryLists(t *testing.T) {
	b := dbtest.NewBoard(t)
	for i, name := range []string{"Travel", "Leave", "اجازة", "Pension"} {
		folder := []string{"Finance", "HR", "HR", "HR"}[i]
		_, err := b.AddLibraryDocument(b.Ctx, b.Approver, &library.Document{Name: name, Folder: folder, Tags: []string{strings.ToLower("tag " + folder)}},
			versionOf(name), []byte(name), db.LibraryAnswering{})
		require.NoError(t, err)
	}
	names := func(q library.Query) (out []string) {
		t.Helper()
		for q.Limit = 2; ; {
			rows, next, err := b.LibraryDocuments(b.Ctx, b.Tenant.ID, q)
			require.NoError(t, err)
			for _, d := range rows {
				out = append(out, d.Name)
			}
			if q.After = next; next == "" {
				return out
			}
		}
	}
	require.Equal(t, []string{"Leave", "Pension", "Travel", "اجازة"}, names(library.Query{}))
	require.Equal(t, []string{"Leave", "Pension", "اجازة"}, names(library.Query{Folder: "HR"}))
	require.Equal(t, []string{"اجازة"}, names(library.Query{Words: "إجازه"}))
	require.Equal(t, []string{"Travel"}, names(library.Query{Tag: "tag finance"}))
	folders, err := b.LibraryFolders(b.Ctx, b.Tenant.ID)
	require.NoError(t, err)
	require.Equal(t, []string{"Finance", "HR"}, folders)
	_, _, err = b.LibraryDocuments(b.Ctx, b.Tenant.ID, library.Query{After: "%"})
	dbtest.RequireKind(t, domain.Invalid, err)
	rows, _, err := b.LibraryDocuments(b.Ctx, b.Other.ID, library.Query{Limit: 9})
	require.NoError(t, err)
	require.Empty(t, rows, "another tenant's")
}

func TestLibraryIsOfItsTenant(t *testing.T) {
	b := dbtest.NewBoard(t)
	d := add(t, b, "Leave policy", "Leave is 15 days.")
	stranger := access.Actor{Tenant: b.Other.ID, ID: "u", User: "u", Human: true, Role: access.Admin}
	_, _, err := b.LibraryDocument(b.Ctx, b.Other.ID, d.ID)
	dbtest.RequireNotFound(t, err)
	_, _, err = b.LibraryFile(b.Ctx, b.Other.ID, library.Ref{ID: d.ID})
	dbtest.RequireNotFound(t, err)
	_, _, err = b.LibraryTexts(b.Ctx, b.Other.ID, d.ID, [2]int{1, 1})
	dbtest.RequireNotFound(t, err)
	_, err = b.LibraryUses(b.Ctx, b.Other.ID, d.ID, library.UsesQuery{From: 1, To: 1})
	dbtest.RequireNotFound(t, err)
	_, err = b.AddLibraryVersion(b.Ctx, stranger, d.ID, versionOf("y"), []byte("y"), db.LibraryAnswering{})
	dbtest.RequireNotFound(t, err)
	_, err = b.ChangeLibraryDocument(b.Ctx, stranger, d.ID, called("mine"), db.LibraryAnswering{})
	dbtest.RequireNotFound(t, err)
	names, err := b.LibraryNames(b.Ctx, b.Other.ID, []string{d.ID})
	require.NoError(t, err)
	require.Empty(t, names)
	other, err := b.AddLibraryDocument(b.Ctx, stranger, &library.Document{Name: "Mine"}, versionOf("x"), []byte("Leave is 15 days."), db.LibraryAnswering{})
	require.NoError(t, err, "the same file of another tenant tells nothing of this one's")
	require.NotEqual(t, d.ID, other.ID)
}

// called gives a document another name.
func called(name string) func(*library.Document) (*library.Document, error) {
	return func(is *library.Document) (*library.Document, error) {
		is.Name = name
		return is, nil
	}
}

// A document is renamed as it is at that moment, and nothing is logged where nothing changes.
func TestRenameInTheLibrary(t *testing.T) {
	b := dbtest.NewBoard(t)
	d := add(t, b, "Leave policy", "Leave is 15 days.")
	for range 2 {
		got, err := b.ChangeLibraryDocument(b.Ctx, b.Approver, d.ID, called("leave policy"), db.LibraryAnswering{})
		require.NoError(t, err)
		require.Equal(t, []any{"leave policy", "", 1}, []any{got.Name, got.Folder, got.Version})
	}
	changed := slices.DeleteFunc(b.Actions(t, b.Tenant.ID), func(a string) bool { return a != "library.changed" })
	require.Len(t, changed, 1)
	_, err := b.ChangeLibraryDocument(b.Ctx, b.Approver, d.ID, called("x"), db.LibraryAnswering{
		Check: func(is *library.Document) error {
			return domain.Refuse(domain.Conflict, "", "refused_library_none", "Name", is.Name)
		}})
	dbtest.RequireKind(t, domain.Conflict, err)
	b.LogHolds(t)
}

func TestLibraryUses(t *testing.T) {
	b := dbtest.NewBoard(t)
	d := add(t, b, "Leave policy", "one")
	cited := dbtest.SizedSession(3).Documents[0].Chunks // what the claims of the sessions cite, one each
	two := &library.Version{Filename: "a.txt", MediaType: "text/plain", Passages: []library.Passage{
		{Text: "Preface."}, {Text: cited[0].Text, Page: cited[0].Page, Heading: cited[0].HeadingPath},
		{Text: cited[1].Text, Page: 40, Heading: []string{"9"}}}}
	_, err := b.AddLibraryVersion(b.Ctx, b.Approver, d.ID, two, []byte("two"), db.LibraryAnswering{})
	require.NoError(t, err)
	old := []*ledger.Session{take(t, b, library.Ref{ID: d.ID, No: 1}, "one"), take(t, b, library.Ref{ID: d.ID, No: 1}, "one")}
	now := take(t, b, library.Ref{ID: d.ID, No: 2}, "two")
	decision := dbtest.DecisionOf("dec_uses", "A2", 1)
	decision.LedgerSessionID = old[0].ID
	b.Decide(t, decision)
	_, err = b.CreatePack(b.Ctx, b.Drafter, decision.DecisionID, db.Answering{})
	require.NoError(t, err)

	var got []string
	q := library.UsesQuery{From: 1, To: 2, Limit: 2, Compare: true}
	for {
		uses, err := b.LibraryUses(b.Ctx, b.Tenant.ID, d.ID, q)
		require.NoError(t, err)
		require.Equal(t, []int{3, 1}, []int{uses.Sessions, uses.Packs})
		for _, u := range uses.Rows {
			got = append(got, fmt.Sprint(u.Version, " ", u.SessionID, " ", len(u.Packs)))
			require.Equal(t, u.Version == 1, len(u.Cited) > 0, "the newest version has not to be compared with itself")
			if u.Version == 1 {
				require.Equal(t, []int{1, 1, 1}, []int{u.Count(library.Same), u.Count(library.Moved), u.Count(library.Lost)})
				require.Equal(t, []library.Fate{library.Same, library.Moved, library.Lost},
					[]library.Fate{u.Cited[0].Now, u.Cited[1].Now, u.Cited[2].Now}, "in the order of the claims")
				require.Equal(t, library.Passage{Page: 40, Heading: []string{"9"}}, u.Cited[1].At)
			}
		}
		if q.After = uses.Next; q.After == "" {
			break
		}
	}
	require.Equal(t, []string{"2 " + now.ID + " 0", "1 " + old[1].ID + " 0", "1 " + old[0].ID + " 1"}, got)
	uses, err := b.LibraryUses(b.Ctx, b.Tenant.ID, d.ID, library.UsesQuery{From: 1, To: 1, Limit: 9})
	require.NoError(t, err)
	require.Equal(t, 2, uses.Sessions)
	_, err = b.LibraryUses(b.Ctx, b.Tenant.ID, d.ID, library.UsesQuery{From: 1, To: 1, After: "1"})
	dbtest.RequireKind(t, domain.Invalid, err)
	newer, err := b.NewerInLibrary(b.Ctx, b.Tenant.ID, old[1].ID)
	require.NoError(t, err)
	require.Equal(t, []library.Newer{{DocumentID: old[1].Documents[0].ID, Ref: library.Ref{ID: d.ID, No: 1},
		Name: "Leave policy", Newest: 2}}, newer)
	newer, err = b.NewerInLibrary(b.Ctx, b.Tenant.ID, now.ID)
	require.NoError(t, err)
	require.Empty(t, newer)
	newer, err = b.NewerInLibrary(b.Ctx, b.Other.ID, old[1].ID)
	require.NoError(t, err)
	require.Empty(t, newer)
	b.WithdrawFirst(t, old[1])
	newer, err = b.NewerInLibrary(b.Ctx, b.Tenant.ID, old[1].ID)
	require.NoError(t, err)
	require.Empty(t, newer, "it is out of use")
	uses, err = b.LibraryUses(b.Ctx, b.Tenant.ID, d.ID, library.UsesQuery{From: 1, To: 1, Limit: 9})
	require.NoError(t, err)
	require.Equal(t, 1, uses.Sessions, "a document that was withdrawn is not rested on")

	h := &dbtest.Fixture{Store: b.Store, Dir: b.Dir, Tenant: b.Tenant, Actor: b.Drafter}
	calls := dbtest.Calls{
		"uses": func() error {
			_, err := b.LibraryUses(b.Ctx, b.Tenant.ID, d.ID, library.UsesQuery{From: 1, To: 2, Limit: 50, Compare: true})
			return err
		},
		"list": func() error {
			_, _, err := b.LibraryDocuments(b.Ctx, b.Tenant.ID, library.Query{Words: "leave", Limit: 50})
			return err
		},
		"folder": func() error {
			_, _, err := b.LibraryDocuments(b.Ctx, b.Tenant.ID, library.Query{Folder: "HR", Limit: 50})
			return err
		},
		"folders":  func() error { _, err := b.LibraryFolders(b.Ctx, b.Tenant.ID); return err },
		"document": func() error { _, _, err := b.LibraryDocument(b.Ctx, b.Tenant.ID, d.ID); return err },
		"texts": func() error {
			_, _, err := b.LibraryTexts(b.Ctx, b.Tenant.ID, d.ID, [2]int{1, 2})
			return err
		},
		"newer": func() error { _, err := b.NewerInLibrary(b.Ctx, b.Tenant.ID, now.ID); return err },
		"names": func() error { _, err := b.LibraryNames(b.Ctx, b.Tenant.ID, []string{d.ID}); return err },
	}
	h.RequireIndexes(t, calls, regexp.MustCompile(
		`p.session_id IN|d.session_no IN|count.DISTINCT|UNION SELECT p.no|JOIN pack_attachments`)) // of a page of sessions; of what rests on one document
	require.LessOrEqual(t, h.Queries(t, calls)["uses"], int64(8))
}

// A pack that has the file of a version by no session of its own rests on it, shares the file, and keeps the document.
func TestPackHasAFileOfTheLibrary(t *testing.T) {
	b := dbtest.NewBoard(t)
	d := add(t, b, "Leave policy", "Leave is 15 days.")
	decision := dbtest.DecisionOf("dec_file", "A2", 1)
	b.Decide(t, decision)
	v, err := b.CreatePack(b.Ctx, b.Drafter, decision.DecisionID, db.Answering{})
	require.NoError(t, err)
	attach := func(ref library.Ref, name string) error {
		now, err := b.Pack(b.Ctx, b.Tenant.ID, v.Life.PackID)
		require.NoError(t, err)
		_, err = b.AttachToPack(b.Ctx, b.Drafter, v.Life.PackID, now.Life.Revision, []db.NewFile{{Name: name, Library: ref}},
			"asked for", db.Answering{})
		return err
	}
	dbtest.RequireKind(t, domain.Invalid, attach(library.Ref{ID: d.ID, No: 2}, ""))
	require.NoError(t, attach(library.Ref{ID: d.ID}, "policy.txt"))
	dbtest.RequireKind(t, domain.Conflict, attach(library.Ref{ID: d.ID, No: 1}, ""))
	require.Len(t, dbtest.OriginalFiles(t, b.Dir), 1, "the file is kept once")
	now, err := b.Pack(b.Ctx, b.Tenant.ID, v.Life.PackID)
	require.NoError(t, err)
	require.Equal(t, "policy.txt", now.Content.Attachments[0].Name)

	uses, err := b.LibraryUses(b.Ctx, b.Tenant.ID, d.ID, library.UsesQuery{From: 1, To: 1, Limit: 9})
	require.NoError(t, err)
	require.Equal(t, []int{0, 1}, []int{uses.Sessions, uses.Packs})
	require.Equal(t, []library.PackUse{{ID: v.Life.PackID, Title: now.Content.Title, State: "draft", Version: 1}}, uses.Attached)
	_, obstacles, err := b.PlanErasure(b.Ctx, b.Admin, erasure.Library, d.ID)
	require.NoError(t, err)
	require.Contains(t, obstacles, erasure.Obstacle{Code: erasure.InPack, Object: v.Life.PackID})

	_, err = b.DetachFromPack(b.Ctx, b.Drafter, v.Life.PackID, now.Life.Revision, now.Content.Attachments[0].SHA256, "not asked for", db.Answering{})
	require.NoError(t, err)
	require.Len(t, dbtest.OriginalFiles(t, b.Dir), 1, "the library has it still")
	b.Finish(t, b.Erase(t, erasure.Library, d.ID).ID)
	require.Empty(t, dbtest.OriginalFiles(t, b.Dir))
	b.LogHolds(t)
}

// A pack whose session took a version that is withdrawn there rests on it by its file alone, and is in the list of those.
func TestPackOfAWithdrawnDocumentRestsOnItsFile(t *testing.T) {
	b := dbtest.NewBoard(t)
	d := add(t, b, "Leave policy", "Leave is 15 days.")
	session := take(t, b, library.Ref{ID: d.ID, No: 1}, "Leave is 15 days.")
	decision := dbtest.DecisionOf("dec_withdrawn", "A2", 1)
	decision.LedgerSessionID = session.ID
	b.Decide(t, decision)
	v, err := b.CreatePack(b.Ctx, b.Drafter, decision.DecisionID, db.Answering{}, db.NewFile{Library: library.Ref{ID: d.ID}})
	require.NoError(t, err, "the session has brought the file")
	require.Len(t, v.Content.Attachments, 1)
	uses := func() *library.Uses {
		u, err := b.LibraryUses(b.Ctx, b.Tenant.ID, d.ID, library.UsesQuery{From: 1, To: 1, Limit: 9})
		require.NoError(t, err)
		require.Equal(t, 1, u.Packs)
		return u
	}
	require.Empty(t, uses().Attached)
	require.Len(t, uses().Rows[0].Packs, 1)
	b.WithdrawFirst(t, session)
	require.Empty(t, uses().Rows)
	require.Equal(t, v.Life.PackID, uses().Attached[0].ID)
	require.False(t, uses().AttachedMore)
}

// A page that follows one whose last session was erased meanwhile repeats nothing and leaves nothing out.
func TestLibraryUsesAfterAnErasedSession(t *testing.T) {
	b := dbtest.NewBoard(t)
	d := add(t, b, "Leave policy", "one")
	var want []string
	for range 4 {
		want = append(want, take(t, b, library.Ref{ID: d.ID, No: 1}, "one").ID)
	}
	slices.Reverse(want)
	q := library.UsesQuery{From: 1, To: 1, Limit: 2}
	uses, err := b.LibraryUses(b.Ctx, b.Tenant.ID, d.ID, q)
	require.NoError(t, err)
	require.Equal(t, want[0], uses.Rows[0].SessionID)
	require.Equal(t, want[1], uses.Rows[1].SessionID)
	b.Finish(t, b.Erase(t, erasure.Session, want[1]).ID)
	q.After = uses.Next
	uses, err = b.LibraryUses(b.Ctx, b.Tenant.ID, d.ID, q)
	require.NoError(t, err)
	require.Equal(t, want[2], uses.Rows[0].SessionID)
	require.Equal(t, want[3], uses.Rows[1].SessionID)
	require.Empty(t, uses.Next)

	other := add(t, b, "Notice policy", "two")
	_, err = b.LibraryUses(b.Ctx, b.Tenant.ID, other.ID, q)
	dbtest.RequireKind(t, domain.Invalid, err)
	_, err = b.LibraryUses(b.Ctx, b.Tenant.ID, uuid.NewString(), library.UsesQuery{From: 1, To: 1})
	dbtest.RequireNotFound(t, err)
}

// What is not read of what claims cite is said of each session, in the order of the page; the newest version's claims
// take nothing of the room for those of older ones.
func TestLibraryUsesAreCut(t *testing.T) {
	b := dbtest.NewBoard(t)
	d := add(t, b, "Leave policy", "1")
	for _, text := range []string{"2", "3"} {
		_, err := b.AddLibraryVersion(b.Ctx, b.Approver, d.ID, versionOf(text), []byte(text), db.LibraryAnswering{})
		require.NoError(t, err)
	}
	for _, x := range []struct{ version, claims int }{{2, 700}, {1, 3}, {1, 700}, {3, 700}} {
		takeSized(t, b, library.Ref{ID: d.ID, No: x.version}, fmt.Sprint(x.version), x.claims)
	}
	uses, err := b.LibraryUses(b.Ctx, b.Tenant.ID, d.ID, library.UsesQuery{From: 1, To: 3, Limit: 9, Compare: true})
	require.NoError(t, err)
	var got []string
	all := 0
	for _, u := range uses.Rows {
		got = append(got, fmt.Sprint(u.Version, " ", len(u.Cited) > 0, " ", u.Cut))
		all += len(u.Cited)
	}
	require.Equal(t, []string{"3 false false", "2 true false", "1 true true", "1 false true"}, got)
	require.Equal(t, library.MaxCited, all)
}

// An erased document of the library leaves its sessions what they have; the file goes with the last that has it.
func TestEraseLibraryDocument(t *testing.T) {
	b := dbtest.NewBoard(t)
	d := add(t, b, "Zanzibarite policy", "Zanzibarite is 15 days.")
	s := take(t, b, library.Ref{ID: d.ID, No: 1}, "Zanzibarite is 15 days.")
	again := take(t, b, library.Ref{ID: d.ID, No: 1}, "Zanzibarite is 15 days.")
	b.Finish(t, b.Erase(t, erasure.Session, again.ID).ID)
	require.Equal(t, "Zanzibarite is 15 days.", fileOf(t, b, s.Documents[0].ID), "the library has the file still")

	e := b.Erase(t, erasure.Library, d.ID)
	require.Equal(t, []int{0, 1, 1}, []int{e.Files, e.Counts["versions"], e.Counts["sessions_that_keep_it"]})
	b.Finish(t, e.ID)
	require.Equal(t, "Zanzibarite is 15 days.", fileOf(t, b, s.Documents[0].ID), "the session keeps what it has")
	_, _, err := b.LibraryDocument(b.Ctx, b.Tenant.ID, d.ID)
	dbtest.RequireNotFound(t, err)
	got, err := b.Session(b.Ctx, b.Tenant.ID, s.ID)
	require.NoError(t, err)
	require.Equal(t, d.ID, got.Documents[0].Library.ID, "where it came from stays")

	late := dbtest.Identify(dbtest.SizedSession(3))
	late.Documents[0].Library = library.Ref{ID: d.ID, No: 1}
	_, _, err = b.InsertSession(b.Ctx, b.Drafter, dbtest.Assess(late),
		[]db.Original{{Document: 0, Data: []byte("Zanzibarite is 15 days.")}}, nil)
	dbtest.RequireKind(t, domain.Conflict, err)

	b.Finish(t, b.Erase(t, erasure.Document, s.Documents[0].ID).ID)
	require.Empty(t, dbtest.OriginalFiles(t, b.Dir))
	require.Empty(t, dbtest.Traces(t, b.Dir, "Zanzibarite"))
	b.LogHolds(t)
}

func TestLibraryIsNotErasedUnderAHold(t *testing.T) {
	b := dbtest.NewBoard(t)
	d := add(t, b, "Leave policy", "Leave is 15 days.")
	s := take(t, b, library.Ref{ID: d.ID, No: 1}, "Leave is 15 days.")
	ask := func() error {
		_, err := b.AskErasure(b.Ctx, b.Admin, erasure.Library, d.ID, "reason")
		return err
	}
	for _, held := range []struct {
		kind erasure.Kind
		id   string
	}{{erasure.Library, d.ID}, {erasure.Session, s.ID}, {erasure.Document, s.Documents[0].ID}} {
		_, err := b.PutOnHold(b.Ctx, b.Admin, held.kind, held.id, "suit")
		require.NoError(t, err)
		require.ErrorContains(t, ask(), "The legal hold on "+string(held.kind)+" "+held.id)
		_, err = b.LiftHold(b.Ctx, b.Admin, held.kind, held.id, "over")
		require.NoError(t, err)
	}
	e, err := b.AskErasure(b.Ctx, b.Admin, erasure.Library, d.ID, "reason")
	require.NoError(t, err)
	_, err = b.PutOnHold(b.Ctx, b.Admin, erasure.Library, d.ID, "suit")
	require.NoError(t, err)
	_, err = b.ConfirmErasure(b.Ctx, b.Second, e.ID)
	require.ErrorContains(t, err, "The legal hold on library "+d.ID, "a hold that was set meanwhile")

	decision := dbtest.DecisionOf("dec_kept", "A2", 1)
	decision.LedgerSessionID = s.ID
	b.Decide(t, decision)
	v, err := b.CreatePack(b.Ctx, b.Drafter, decision.DecisionID, db.Answering{})
	require.NoError(t, err)
	_, obstacles, err := b.PlanErasure(b.Ctx, b.Admin, erasure.Library, d.ID)
	require.NoError(t, err)
	require.Contains(t, obstacles, erasure.Obstacle{Code: erasure.InPack, Object: v.Life.PackID})
	b.LogHolds(t)
}

// A period counts from the newest version.
func TestLibraryIsRetained(t *testing.T) {
	b := dbtest.NewBoard(t)
	old := add(t, b, "Old", "old")
	add(t, b, "New", "new")
	d := dbtest.Unguarded(t, b.Dir)
	dbtest.Exec(t, d, "UPDATE library_documents SET changed_at = '2020-01-01T00:00:00.000000000Z' WHERE id = ?", old.ID)
	due, err := b.DueForErasure(b.Ctx, b.Tenant.ID, []erasure.Period{{Kind: erasure.Library, Days: 365}}, 10)
	require.NoError(t, err)
	require.Len(t, due, 1)
	require.Equal(t, []string{old.ID, "Old"}, []string{due[0].ObjectID, due[0].Title})
}

// BenchmarkManyReviews asks what a page asks, of a store of so many reviews that rest on 200 documents, and shares 50 of
// them out (docs/measured.md). Nobody is to review them yet, so that all of them wait.
func BenchmarkManyReviews(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		b.Run(fmt.Sprintf("reviews=%d", n), func(bench *testing.B) {
			b, document := restOn(bench, 200, n)
			ctx, reviewer := context.Background(), b.Drafter
			share := func(whose string, to ...string) *db.AssignMany {
				in := &db.AssignMany{Whose: whose, How: ledger.ByLoad, Most: 50}
				for _, id := range to {
					in.To = append(in.To, ledger.Taker{Seat: ledger.Seat{ID: id}})
				}
				return in
			}
			assign := func(in *db.AssignMany) {
				got, err := b.AssignSessions(ctx, b.Admin, ledger.DefaultFreshness, dbtest.Now, in)
				require.NoError(bench, err)
				require.Equal(bench, 50, got.Moved)
			}
			measure(bench, "queue", func() {
				mine, err := b.MyQueue(ctx, b.Tenant.ID, reviewer.ID, 5)
				require.NoError(bench, err)
				require.Zero(bench, mine.Waiting)
				free, err := b.Free(ctx, reviewer, 100)
				require.NoError(bench, err)
				require.Equal(bench, 100, free)
				rows, _, err := b.Sessions(ctx, b.Tenant.ID, ledger.SessionQuery{State: ledger.StateOpen, Limit: 50})
				require.NoError(bench, err)
				require.Len(bench, rows, 50)
			})
			measure(bench, "next", func() {
				_, err := b.MyQueue(ctx, b.Tenant.ID, reviewer.ID, 50)
				require.NoError(bench, err)
				free, err := b.FreeSessions(ctx, reviewer, 50)
				require.NoError(bench, err)
				require.Equal(bench, n, free.Waiting)
			})
			measure(bench, "preview", func() {
				in := share("", reviewer.ID, b.Approver.ID)
				in.Most = 0
				plan, err := b.PlanAssignment(ctx, b.Tenant.ID, in)
				require.NoError(bench, err)
				require.Equal(bench, n, plan.Moved)
			})
			measure(bench, "share", func() { assign(share("", reviewer.ID)) }, func() { assign(share(reviewer.ID)) })
			measure(bench, "uses", func() {
				uses, err := b.LibraryUses(ctx, b.Tenant.ID, document,
					library.UsesQuery{From: 1, To: 1, Limit: 50, Compare: true})
				require.NoError(bench, err)
				require.Positive(bench, uses.Sessions)
			})
		})
	}
}

// measure runs do, and after each time undo, which is not measured.
func measure(bench *testing.B, name string, do func(), undo ...func()) {
	bench.Run(name, func(bench *testing.B) {
		var slowest time.Duration
		for range bench.N {
			start := time.Now()
			do()
			slowest = max(slowest, time.Since(start))
			bench.StopTimer()
			for _, f := range undo {
				f()
			}
			bench.StartTimer()
		}
		bench.ReportMetric(float64(slowest.Microseconds())/1000, "ms-slowest")
	})
}

// restOn returns a store of n sessions, each of which rests on three of so many documents, and one of these. The oldest
// 60 sessions, which rest on that one, are in the log, as those must be that are assigned; the others are copies of rows.
func restOn(bench *testing.B, documents, n int) (*dbtest.Board, string) {
	b := dbtest.NewBoard(bench)
	const each, logged = 3, 60
	var ids []string
	for i := range documents {
		d := add(bench, b, fmt.Sprint("Policy ", i), fmt.Sprint("text ", i))
		ids = append(ids, d.ID)
	}
	var s *ledger.Session
	for range logged {
		s = take(bench, b, library.Ref{ID: ids[0], No: 1}, "text 0")
	}
	d := dbtest.Unguarded(bench, b.Dir)
	columns := func(table string) []string {
		return dbtest.TextsOf(bench, d, "SELECT name FROM pragma_table_info('"+table+"')")
	}
	ofSessions, ofDocuments := columns("sessions"), columns("documents")
	tx, err := d.Begin()
	require.NoError(bench, err)
	for i := range n - logged {
		no, id := 1_000+i, uuid.NewString()
		copyRow(bench, tx, "sessions", ofSessions, map[string]any{"no": no, "id": id, "digest": id,
			"created_at": sqldb.Stamp(dbtest.Now.Add(time.Duration(i+1) * time.Second))}, "id = ?", s.ID)
		for k := range each {
			copyRow(bench, tx, "documents", ofDocuments, map[string]any{"session_no": no, "id": uuid.NewString(),
				"position": k, "library_id": ids[(i*each+k)%documents]}, "id = ?", s.Documents[0].ID)
		}
	}
	require.NoError(bench, tx.Commit())
	return b, ids[0]
}

// copyRow inserts a copy of a row with other values in some columns.
func copyRow(t testing.TB, tx *sql.Tx, table string, columns []string, with map[string]any, where string, arg any) {
	t.Helper()
	values, args := []string{}, []any{}
	for _, c := range columns {
		if v, is := with[c]; is {
			values, args = append(values, "?"), append(args, v)
			continue
		}
		values = append(values, c)
	}
	_, err := tx.Exec("INSERT INTO "+table+" ("+strings.Join(columns, ", ")+") SELECT "+strings.Join(values, ", ")+
		" FROM "+table+" WHERE "+where, append(args, arg)...)
	require.NoError(t, err)
}
