package library

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/library"
)

// LibraryUses lists the sessions that rest on versions of a document with the packs that refer to them: those of the
// newest version first, of one version the newest session first. A session rests on a version while a document taken
// from it is in use there. The number of queries is the same for any document.
func (store *Store) LibraryUses(ctx context.Context, tenant, id string,
	q library.UsesQuery) (*library.Uses, error) {
	out, now := &library.Uses{}, ""
	err := store.Read(ctx, "LibraryUses", func(t *sqldb.Tx) error {
		*out, now = library.Uses{}, ""
		d, err := document(t, tenant, id)
		if err != nil {
			return err
		}
		if out.Sessions, out.Packs, err = countUses(t, tenant, id, q.From, q.To); err != nil {
			return err
		}
		if err := store.readUses(t, out, tenant, id, &q); err != nil {
			return err
		}
		if q.After == "" {
			if err := readAttached(t, out, tenant, id, &q); err != nil {
				return err
			}
		}
		if len(out.Rows) == 0 {
			return nil
		}
		if err := readPacks(t, tenant, out.Rows); err != nil {
			return err
		}
		older := slices.IndexFunc(out.Rows, func(u library.Use) bool { return u.Version < d.Version })
		if !q.Compare || older < 0 {
			return nil
		}
		if err := readCited(t, tenant, id, out.Rows[older:]); err != nil {
			return err
		}
		now, err = passages(t, tenant, library.Ref{ID: id, No: d.Version})
		return err
	})
	if err == nil && now != "" {
		var newest []library.Passage
		if err = json.Unmarshal([]byte(now), &newest); err == nil {
			library.Compare(out.Rows, newest)
		}
	}
	return sqldb.OrZero(out, err)
}

// resting is the condition on the documents of sessions that rest on versions of a document.
const resting = `d.tenant_id = ?1 AND d.library_id = ?2 AND d.library_id <> '' AND d.library_no BETWEEN ?3 AND ?4
	AND d.status = 'ready' AND d.withdrawn = ''`

func countUses(t *sqldb.Tx, tenant, id string, from, to int) (sessions, packs int, err error) {
	args := []any{tenant, id, from, to}
	if err = t.Row("SELECT count(DISTINCT d.session_no) FROM documents d WHERE "+resting, args, &sessions); err != nil {
		return 0, 0, err
	}
	err = t.Row(`SELECT count(*) FROM evidence_packs u WHERE u.no IN (SELECT p.no FROM documents d
		JOIN sessions s ON s.tenant_id = d.tenant_id AND s.no = d.session_no
		JOIN evidence_packs p ON p.tenant_id = s.tenant_id AND p.session_id = s.id AND p.session_id <> ''
		WHERE `+resting+" UNION SELECT p.no"+attached+") AND u.tenant_id = ?1", args, &packs)
	return sessions, packs, err
}

// attached are the packs that have the file of a version, but whose session does not rest on it.
const attached = ` FROM library_versions v JOIN pack_attachments a ON a.tenant_id = v.tenant_id AND a.blob = v.blob
	JOIN evidence_packs p ON p.tenant_id = a.tenant_id AND p.pack_id = a.pack_id
	WHERE v.tenant_id = ?1 AND v.document_id = ?2 AND v.n BETWEEN ?3 AND ?4
	AND NOT EXISTS (SELECT 1 FROM sessions s JOIN documents d ON d.tenant_id = s.tenant_id AND d.session_no = s.no
		WHERE s.tenant_id = p.tenant_id AND s.id = p.session_id AND d.library_id = v.document_id AND d.library_no = v.n
			AND d.status = 'ready' AND d.withdrawn = '')`

// readAttached reads these packs, those of the newest version first, of one version the newest first.
func readAttached(t *sqldb.Tx, out *library.Uses, tenant, id string, q *library.UsesQuery) (err error) {
	out.Attached, err = sqldb.Collect(t, "SELECT v.n, p.pack_id, p.title, p.state"+attached+
		" ORDER BY v.n DESC, p.no DESC LIMIT ?5", []any{tenant, id, q.From, q.To, library.MaxAttached + 1},
		func(r sqldb.Scanner, p *library.PackUse) error { return r.Scan(&p.Version, &p.ID, &p.Title, &p.State) })
	if out.AttachedMore = len(out.Attached) > library.MaxAttached; out.AttachedMore {
		out.Attached = out.Attached[:library.MaxAttached]
	}
	return err
}

// readUses reads a page of the sessions. One may have several documents of a version, as those of a mail: the first of
// them stands for all.
func (store *Store) readUses(t *sqldb.Tx, out *library.Uses, tenant, id string, q *library.UsesQuery) error {
	version, session, err := store.openPlace(tenant, id, q.After)
	if err != nil {
		return err
	}
	limit := max(1, q.Limit)
	out.Rows, err = sqldb.Collect(t, `SELECT d.library_no, d.session_no, s.id, s.title, EXISTS (SELECT 1 FROM documents o
			JOIN matches m ON m.tenant_id = o.tenant_id AND m.session_no = o.session_no AND m.document = o.position
			WHERE o.tenant_id = d.tenant_id AND o.session_no = d.session_no AND o.library_id = d.library_id
				AND o.library_no < d.library_no AND o.withdrawn <> '' AND m.rank = 0)
		FROM documents d
		JOIN sessions s ON s.tenant_id = d.tenant_id AND s.no = d.session_no
		WHERE `+resting+` AND (d.library_no, d.session_no) < (?5, ?6)
		AND NOT EXISTS (SELECT 1 FROM documents e WHERE e.tenant_id = d.tenant_id AND e.session_no = d.session_no
			AND e.position < d.position AND e.library_id = d.library_id AND e.library_no = d.library_no
			AND e.status = 'ready' AND e.withdrawn = '')
		ORDER BY d.library_no DESC, d.session_no DESC LIMIT ?7`,
		[]any{tenant, id, q.From, q.To, version, session, limit + 1},
		func(r sqldb.Scanner, u *library.Use) error {
			return r.Scan(&u.Version, &u.SessionNo, &u.SessionID, &u.Title, &u.Behind)
		})
	if err != nil || len(out.Rows) <= limit {
		return err
	}
	out.Rows = out.Rows[:limit]
	out.Next, err = store.sealPlace(tenant, id, &out.Rows[limit-1])
	return err
}

// sealPlace returns the place behind a row. It holds the number of the session, so that it stands also when that is
// erased; it is sealed, because numbers count the rows of all tenants.
func (store *Store) sealPlace(tenant, id string, row *library.Use) (string, error) {
	sealed, err := store.Box.Seal(placeContext(tenant, id), fmt.Appendf(nil, "%d.%d", row.Version, row.SessionNo))
	return base64.RawURLEncoding.EncodeToString(sealed), err
}

func placeContext(tenant, id string) string { return "library_uses/" + tenant + "/" + id }

// openPlace reads the place behind a row, "" for the beginning.
func (store *Store) openPlace(tenant, id, after string) (version, session int64, err error) {
	if after == "" {
		return math.MaxInt32, math.MaxInt64, nil
	}
	sealed, err := base64.RawURLEncoding.DecodeString(after)
	if err == nil {
		sealed, err = store.Box.Open(placeContext(tenant, id), sealed)
	}
	if err == nil {
		_, err = fmt.Sscanf(string(sealed), "%d.%d", &version, &session)
	}
	if err != nil {
		return 0, 0, domain.Refuse(domain.Invalid, "after", "refused_next_list")
	}
	return version, session, nil
}

// maxPacks bounds the packs that are read for a page of sessions.
const maxPacks = 1_000

// readPacks reads the packs that refer to the sessions of a page, the newest first.
func readPacks(t *sqldb.Tx, tenant string, rows []library.Use) error {
	at, ids := map[string][]int{}, []any{}
	for i := range rows {
		if at[rows[i].SessionID] == nil {
			ids = append(ids, rows[i].SessionID)
		}
		at[rows[i].SessionID] = append(at[rows[i].SessionID], i)
	}
	list, args := sqldb.InList(ids)
	return t.Each(`SELECT p.session_id, p.pack_id, p.title, p.state FROM evidence_packs p
		WHERE p.tenant_id = ? AND p.session_id <> '' AND p.session_id IN `+list+" ORDER BY p.no DESC LIMIT ?",
		append(append([]any{tenant}, args...), maxPacks), func(r sqldb.Scanner) error {
			var p library.PackUse
			session := ""
			err := r.Scan(&session, &p.ID, &p.Title, &p.State)
			for _, i := range at[session] {
				rows[i].Packs = append(rows[i].Packs, p)
			}
			return err
		})
}

// readCited reads the passages of a document that claims rest on in rows that follow each other, at most
// library.MaxCited. A row that has not all of its own is Cut.
func readCited(t *sqldb.Tx, tenant, id string, rows []library.Use) error {
	type place struct{ version, session int }
	at, numbers := map[place]int{}, []any{}
	for i := range rows {
		at[place{rows[i].Version, rows[i].SessionNo}] = i
		numbers = append(numbers, rows[i].SessionNo)
	}
	list, args := sqldb.InList(numbers)
	first, last, n := rows[0], rows[len(rows)-1], 0
	args = append(append([]any{tenant, id}, args...), first.Version, first.SessionNo, last.Version, last.SessionNo,
		library.MaxCited+1)
	return t.Each(`SELECT d.library_no, d.session_no, m.claim + 1, m.snippet, m.quote_start, m.quote_end, c.text, c.page,
		c.heading_path FROM documents d
		JOIN matches m ON m.tenant_id = d.tenant_id AND m.session_no = d.session_no AND m.document = d.position
		JOIN chunks c ON c.tenant_id = m.tenant_id AND c.session_no = m.session_no AND c.document = m.document
			AND c.position = m.chunk
		WHERE d.tenant_id = ? AND d.library_id = ? AND d.library_id <> '' AND d.status = 'ready' AND d.withdrawn = ''
			AND (m.support <> 'none' OR m.contradicts = 1) AND d.session_no IN `+list+`
			AND (d.library_no, d.session_no) <= (?, ?) AND (d.library_no, d.session_no) >= (?, ?)
		ORDER BY d.library_no DESC, d.session_no DESC, m.claim, m.rank LIMIT ?`, args, func(r sqldb.Scanner) error {
		var of place
		var c library.Cited
		var snippet, passage string
		var start, end int
		if err := r.Scan(&of.version, &of.session, &c.Claim, &snippet, &start, &end, &passage, &c.Page,
			sqldb.JSONInto(&c.Heading)); err != nil {
			return err
		}
		i := at[of]
		if n++; n > library.MaxCited { // the order is that of the rows: nothing of those that follow was read
			for ; i < len(rows); i++ {
				rows[i].Cut = true
			}
			return nil
		}
		c.Words = library.WordsOf(passage, snippet, start, end)
		rows[i].Cited = append(rows[i].Cited, c)
		return nil
	})
}

// maxNewer bounds the documents of a session that are listed as having a newer version.
const maxNewer = 50

// NewerInLibrary lists the documents in use in a session of which the library has a newer version, in their order.
func (store *Store) NewerInLibrary(ctx context.Context, tenant, session string) (out []library.Newer, err error) {
	err = store.Read(ctx, "NewerInLibrary", func(t *sqldb.Tx) error {
		out, err = sqldb.Collect(t, `SELECT d.id, d.library_id, d.library_no, l.name, l.version FROM sessions s
			JOIN documents d ON d.tenant_id = s.tenant_id AND d.session_no = s.no
			JOIN library_documents l ON l.tenant_id = d.tenant_id AND l.id = d.library_id
			WHERE s.tenant_id = ? AND s.id = ? AND d.library_id <> '' AND d.status = 'ready' AND d.withdrawn = ''
				AND d.library_no < l.version
			ORDER BY d.position LIMIT ?`, []any{tenant, session, maxNewer}, func(r sqldb.Scanner, n *library.Newer) error {
			return r.Scan(&n.DocumentID, &n.ID, &n.No, &n.Name, &n.Newest)
		})
		return err
	})
	return out, err
}
