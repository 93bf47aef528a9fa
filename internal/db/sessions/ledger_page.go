package sessions

import (
	"context"
	"slices"

	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/notify"
	"sanad/internal/domain/pack"
)

// PageQuery asks for a part of a session's claims.
type PageQuery struct {
	Filter  ledger.ClaimFilter
	After   int // the position before the first one; -1 for the first
	Limit   int
	Sources bool // with what the list of sources is made of
}

// LedgerPage returns up to limit claims of a session that pass f, after position after (-1 for the first), without
// sealed reviews, with what the list of sources is made of.
func (store *Store) LedgerPage(ctx context.Context, tenant, id string, f ledger.ClaimFilter,
	after, limit int) (*ledger.Page, error) {
	q := PageQuery{Filter: f, After: after, Limit: limit, Sources: true}
	return store.LedgerPageFor(ctx, access.Actor{Tenant: tenant}, id, q)
}

// LedgerPageFor returns the claims of a session that q asks for, with the sealed reviews of the reader, and counts what
// confirming all that pass its filter would do.
func (store *Store) LedgerPageFor(ctx context.Context, who access.Actor, id string, q PageQuery) (*ledger.Page, error) {
	var p *ledger.Page
	err := store.Read(ctx, "LedgerPage", func(t *sqldb.Tx) error {
		b, err := newPageBuilder(t, who, id)
		if err != nil {
			return err
		}
		p = b.page
		if p.Saved, err = viewsOffered(t, who, ledger.SavedLedger); err != nil {
			return err
		}
		if p.Due, err = reads.DueDate(t, who.Tenant, notify.Session, id); err != nil {
			return err
		}
		p.Due.Open = statusOf(b.head.state) == ledger.StatusOpen
		if err := b.window(newClaimQuery(q.Filter), max(q.After, -1), max(1, q.Limit)); err != nil {
			return err
		}
		return b.referred(q.After >= 0, q.Sources)
	})
	return sqldb.OrZero(p, err)
}

// LedgerPart returns a part of a ledger's entries as a reader may see it. However many claims the session has, it reads
// those of the part.
func (store *Store) LedgerPart(ctx context.Context, who access.Actor, id string,
	q *ledger.PartQuery) (*ledger.Part, error) {
	var p *ledger.Part
	err := store.Read(ctx, "LedgerPart", func(t *sqldb.Tx) error {
		h, err := loadSessionRow(t, who.Tenant, id, false)
		if err != nil {
			return err
		}
		b := &pageBuilder{t: t, tenant: who.Tenant, who: who, head: h, page: &ledger.Page{Session: &h.Session}}
		p, err = b.part(q)
		return err
	})
	return sqldb.OrZero(p, err)
}

// part reads the entries that q asks for, and those that no longer count.
func (page *pageBuilder) part(q *ledger.PartQuery) (*ledger.Part, error) {
	s, out := page.page.Session, &ledger.Part{}
	listed, err := page.listed(q)
	if err != nil {
		return nil, err
	}
	if len(listed) > q.Limit {
		out.Next, listed = &listed[q.Limit], listed[:q.Limit]
	}
	list, args := listOf(listed)
	which, args := "c.position IN "+list, append([]any{page.tenant, page.head.no}, args...)
	if page.head.Overview.Summary.Aside() > 0 {
		which = "(" + which + " OR NOT " + notAside + ")"
	}
	if err := page.claims("FROM claims c WHERE c.tenant_id = ? AND c.session_no = ? AND "+which+" ORDER BY c.position",
		args...); err != nil {
		return nil, err
	}
	if err := page.said(); err != nil {
		return nil, err
	}
	if s.Documents, err = loadDocuments(page.t, page.tenant, page.head.no); err != nil {
		return nil, err
	}
	s.HideSealed(page.who.ID)
	_, refs := references(s.Claims)
	pairs, args := sqldb.InPairs(refs)
	if err := loadChunks(page.t, s, page.tenant, page.head.no, "AND (document, position) IN "+pairs, args...); err != nil {
		return nil, err
	}
	whole := ledger.Ledger{Session: s, Overview: page.head.Overview}
	for i := range s.Claims {
		e, _ := s.EntryAt(s.Claims[i].Position, page.page.Flags[s.Claims[i].Position])
		whole.Entries = append(whole.Entries, e)
	}
	out.Ledger = whole.Findings()
	out.Matching, out.Left, err = page.counted(q)
	out.Left -= len(out.Entries)
	return out, err
}

// listed returns the positions of the entries that q asks for, and of one more. Each verdict is looked up in its index,
// in the order of the claims.
func (page *pageBuilder) listed(q *ledger.PartQuery) (out []int, err error) {
	for i := range max(1, len(q.Verdicts)) {
		w := page.passing(q)
		if len(q.Verdicts) > 0 {
			w.Add("c.verdict = ?", string(q.Verdicts[i]))
		}
		more, err := sqldb.Collect(page.t, "SELECT c.position FROM claims c WHERE "+w.String()+
			" AND c.position >= ? ORDER BY c.position LIMIT ?", append(w.Args, q.From, q.Limit+1),
			func(r sqldb.Scanner, at *int) error { return r.Scan(at) })
		if err != nil {
			return nil, err
		}
		out = append(out, more...)
	}
	slices.Sort(out)
	return out[:min(len(out), q.Limit+1)], nil
}

// passing returns the conditions of q but those of the verdicts. The tenant is asked for in the session's row, so that
// entries are counted in an index.
func (page *pageBuilder) passing(q *ledger.PartQuery) (w sqldb.Conditions) {
	w.Add("c.session_no = (SELECT no FROM sessions WHERE tenant_id = ? AND no = ?)", page.tenant, page.head.no)
	if page.head.Overview.Summary.Aside() > 0 {
		w.Add(notAside)
	}
	if q.Citation != "" {
		w.Add("c.citation_checks & ? <> 0", q.Citation.Bit())
	}
	if q.Quotation != "" {
		w.Add("c.quotation_checks & ? <> 0", q.Quotation.Bit())
	}
	return w
}

// counted returns how many entries pass q, and how many of them begin at q.From.
func (page *pageBuilder) counted(q *ledger.PartQuery) (all, from int, err error) {
	sum := &page.head.Overview.Summary
	n, counted := q.Counted(sum)
	switch {
	case counted && q.From == 0:
		return n, n, nil
	case counted && len(q.Verdicts)+sum.Aside() == 0:
		return n, max(0, n-q.From), nil
	}
	w := page.passing(q)
	if len(q.Verdicts) > 0 {
		values := make([]any, len(q.Verdicts))
		for i, v := range q.Verdicts {
			values[i] = string(v)
		}
		list, args := sqldb.InList(values)
		w.Add("c.verdict IN "+list, args...)
	}
	err = page.t.Row("SELECT count(*), count(*) FILTER (WHERE c.position >= ?) FROM claims c WHERE "+w.String(),
		append([]any{q.From}, w.Args...), &all, &from)
	return all, from, err
}

// ClaimPage returns the page of one claim. Prev and Next are the positions of the adjacent claims. The revision of a
// claim, for detecting changes, is the number of its reviews.
func (store *Store) ClaimPage(ctx context.Context, tenant, id string, position int) (*ledger.Page, error) {
	return store.ClaimPageFor(ctx, access.Actor{Tenant: tenant}, id, position, nil)
}

// ClaimPageFor is ClaimPage for a reader, who also sees their own sealed reviews. It counts what confirming all of the
// list beside the claim would do, which has the filter beside; nil for no list.
func (store *Store) ClaimPageFor(ctx context.Context, who access.Actor, id string, position int,
	beside *ledger.ClaimFilter) (*ledger.Page, error) {
	var p *ledger.Page
	err := store.Read(ctx, "ClaimPage", func(t *sqldb.Tx) error {
		b, err := newPageBuilder(t, who, id)
		if err != nil {
			return err
		}
		p = b.page
		total := p.Overview.Summary.All()
		if position < 0 || position >= total {
			return sqldb.NotFound()
		}
		if err := b.claims("FROM claims c WHERE c.tenant_id = ? AND c.session_no = ? AND c.position = ?",
			b.tenant, b.head.no, position); err != nil {
			return err
		}
		if err := b.evidence(); err != nil {
			return err
		}
		if beside != nil {
			if err := b.bulk(newClaimQuery(*beside)); err != nil {
				return err
			}
		}
		p.First, p.Matching = position == 0, total
		if position > 0 {
			p.Prev = new(position - 1)
		}
		if position < total-1 {
			p.Next = new(position + 1)
		}
		return b.referred(true, false)
	})
	return sqldb.OrZero(p, err)
}

// pageBuilder reads one page: the session, its claims with their evidence, and what these refer to. The number of
// queries does not depend on the size of the session.
type pageBuilder struct {
	t      *sqldb.Tx
	tenant string
	who    access.Actor
	head   *sessionRow
	page   *ledger.Page

	reviews bool         // the reader may review
	policy  *pack.Policy // if so
}

// newPageBuilder reads the session, and for somebody who may review who can be addressed.
func newPageBuilder(t *sqldb.Tx, who access.Actor, id string) (*pageBuilder, error) {
	b := &pageBuilder{t: t, tenant: who.Tenant, who: who, reviews: who.Role.May(access.ReviewClaim)}
	h, err := loadSessionRow(t, b.tenant, id, false)
	if err != nil {
		return nil, err
	}
	p := &ledger.Page{Session: &h.Session, Documents: h.documents, Runs: h.run + 1, Overview: h.Overview,
		State: h.stateFor(who), Newest: h.newest}
	if p.State == ledger.Closed {
		p.Closing = h.closing
	}
	p.Overview.Sealed = nil
	b.head, b.page = h, p
	if !b.reviews {
		return b, nil
	}
	if b.policy, err = reads.Policy(t, b.tenant); err != nil {
		return nil, err
	}
	p.Reasons = b.policy.Reasons()
	p.People, err = reads.Mentionable(t, b.tenant)
	return b, err
}

// window reads the claims after after, and finds where the adjacent pages begin.
func (page *pageBuilder) window(q *claimQuery, after, limit int) error {
	p, last := page.page, page.head.Overview.Summary.All()-1
	after = min(after, last)
	p.First = after < 0
	var err error
	switch {
	case q.impossible():
		p.First = true
	case ledger.ClaimFilter(*q).Any(), p.Overview.Summary.Aside() > 0:
		err = page.filtered(q, after, last, limit)
	default:
		p.Matching, _ = ledger.ClaimFilter(*q).Counted(&page.head.Overview)
		if after >= 0 {
			p.Prev = new(max(-1, after-limit))
		}
		err = page.claims(`FROM claims c WHERE c.tenant_id = ? AND c.session_no = ? AND c.position BETWEEN ? AND ?
			ORDER BY c.position`, page.tenant, page.head.no, after+1, after+1+limit)
	}
	if err != nil {
		return err
	}
	if claims := p.Session.Claims; len(claims) > limit {
		p.Session.Claims = claims[:limit]
		delete(p.Flags, claims[limit].Position)
		p.Next = new(claims[limit-1].Position)
	}
	if err := page.evidence(); err != nil {
		return err
	}
	return page.bulk(q)
}

// filtered reads the claims of the window that pass a filter, counts all that do, and finds the page before.
func (page *pageBuilder) filtered(q *claimQuery, after, last, limit int) (err error) {
	p, w := page.page, q.conditions(page.who, page.head)
	column, offset := q.order(page.head)
	from := " FROM " + q.tables() + " WHERE " + w.String() + " AND " + column + " BETWEEN ? AND ?"
	between := func(first, last, limit int) []any {
		return append(slices.Clone(w.Args), first+offset, last+offset, limit)
	}
	if err := page.claims(from+" ORDER BY "+column+" LIMIT ?", between(after+1, last, limit+1)...); err != nil {
		return err
	}
	n, counted := q.counted(page.who, page.head)
	if !counted {
		err = page.t.Row("SELECT count(*) FROM (SELECT 1"+from+" LIMIT ?) AS counted", between(0, last, MaxMatching),
			&n)
	}
	p.Matching = n
	if err != nil || after < 0 {
		return err
	}
	before, err := sqldb.Collect(page.t, "SELECT c.position"+from+" ORDER BY "+column+" DESC LIMIT ?",
		between(0, after, limit+1),
		func(r sqldb.Scanner, position *int) error { return r.Scan(position) })
	if p.First = len(before) == 0; !p.First {
		p.Prev = new(-1)
	}
	if len(before) > limit {
		p.Prev = &before[limit]
	}
	return err
}

// claims reads the page's claims by a query. Their verdicts are found again from their evidence and reviews.
func (page *pageBuilder) claims(from string, args ...any) error {
	claims, values, err := loadClaims(page.t, from, args...)
	page.page.Flags = map[int][]ledger.RiskType{}
	for i := range claims {
		if mask := values[i].flags; mask != 0 {
			page.page.Flags[claims[i].Position] = flagTypes(mask)
		}
	}
	page.page.Session.Claims = claims
	return err
}

// evidence reads the evidence and reviews of the page's claims, what a file said about them, and how many claims the
// reader has decided.
func (page *pageBuilder) evidence() error {
	err := page.said()
	if err != nil || page.page.Session.Second == ledger.OneReviewer || page.who.ID == "" {
		return err
	}
	return page.own()
}

// said reads the evidence and reviews of the page's claims, and what a file said about them.
func (page *pageBuilder) said() error {
	s := page.page.Session
	positions := make([]any, len(s.Claims))
	for i := range s.Claims {
		positions[i] = s.Claims[i].Position
	}
	list, args := sqldb.InList(positions)
	err := loadEvidence(page.t, s, page.tenant, page.head.no, "AND claim IN "+list, args...)
	if err != nil || !page.head.said {
		return err
	}
	return page.upstream("AND claim IN "+list, args...)
}

// referred reads what the page's claims refer to, and the part of the answer. follow says whether that starts at the
// claims.
func (page *pageBuilder) referred(follow, listed bool) (err error) {
	if err := page.cited(); err != nil {
		return err
	}
	if err := page.answer(follow); err != nil {
		return err
	}
	if err := page.mentions(); err != nil || !listed {
		return err
	}
	return page.passages()
}

// cited reads the documents and passages that the page's claims match.
func (page *pageBuilder) cited() (err error) {
	s := page.page.Session
	s.HideSealed(page.who.ID)
	documents, refs := references(s.Claims)
	if s.Documents, err = loadListed(page.t, page.tenant, page.head.no, documents); err != nil {
		return err
	}
	pairs, args := sqldb.InPairs(refs)
	return loadChunks(page.t, s, page.tenant, page.head.no, "AND (document, position) IN "+pairs, args...)
}

// own counts the claims that the reader has decided in a double review, and those that are left for them; the summary
// counts only those that both have decided.
func (page *pageBuilder) own() error {
	p, open := page.page, 0
	err := page.t.Row(`SELECT count(DISTINCT r.claim), count(DISTINCT r.claim) FILTER (WHERE c.settled = 0) FROM reviews r JOIN claims c ON c.tenant_id = r.tenant_id
		AND c.session_no = r.session_no
		AND c.position = r.claim
		WHERE r.tenant_id = ? AND r.session_no = ? AND `+notAside+" AND "+ownDecision, []any{page.tenant, page.head.no, page.who.ID}, &p.Own, &open)
	p.OwnLeft = p.Overview.Summary.Total - p.Overview.Summary.Settled - open
	return err
}

// bulk counts what confirming the claims that pass a filter would do.
func (page *pageBuilder) bulk(q *claimQuery) error {
	s := page.page.Session
	if !page.reviews || MaySeeSealed(s, page.who) {
		return nil
	}
	out := &ledger.Confirmable{Session: s, ByVerdict: map[ledger.Verdict]int{}, All: page.policy.BulkConfirmsAll}
	page.page.Bulk = out
	switch {
	case page.page.Overview.Summary.All() > ledger.MaxBulk:
		out.Count = -1
		return nil
	case q.impossible():
		return nil
	}
	return countConfirmable(page.t, page.who, q, q.within(page.who, page.head), SpareCondition(page.policy), out)
}

// MaySeeSealed reports whether somebody cannot confirm claims of a session: in a blind one reviews are sealed, and this
// person may read the audit log, where each stands.
func MaySeeSealed(session *ledger.Session, who access.Actor) bool {
	return session.Second == ledger.SecondBlind && who.Role.May(access.ReadAudit)
}

// references returns the documents that the claims match, and the chunks as document, chunk, document, chunk
// …, without duplicates.
func references(claims []ledger.Claim) (documents, chunks []any) {
	seen, seenDocuments := make(map[ledger.ChunkRef]bool, len(claims)), map[int]bool{}
	var refs []ledger.ChunkRef
	chunks = make([]any, 0, 2*len(claims))
	for i := range claims {
		refs = claims[i].References(refs[:0])
		for _, ref := range refs {
			if seen[ref] {
				continue
			}
			seen[ref] = true
			chunks = append(chunks, ref.Document, ref.Chunk)
			if !seenDocuments[ref.Document] {
				seenDocuments[ref.Document] = true
				documents = append(documents, ref.Document)
			}
		}
	}
	return documents, chunks
}
