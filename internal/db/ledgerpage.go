package db

import (
	"context"
	"slices"

	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/due"
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
func (s *Store) LedgerPage(ctx context.Context, tenant, id string, f ledger.ClaimFilter,
	after, limit int) (*ledger.Page, error) {
	q := PageQuery{Filter: f, After: after, Limit: limit, Sources: true}
	return s.LedgerPageFor(ctx, domain.Actor{Tenant: tenant}, id, q)
}

// LedgerPageFor returns the claims of a session that q asks for, with the sealed reviews of the reader, and counts what
// confirming all that pass its filter would do.
func (s *Store) LedgerPageFor(ctx context.Context, who domain.Actor, id string, q PageQuery) (*ledger.Page, error) {
	var p *ledger.Page
	err := s.read(ctx, "LedgerPage", func(t *tx) error {
		var d due.Date
		var saved []ledger.SavedView
		b, err := newPageBuilder(t, who, id, append(savedParts(who, ledger.SavedLedger, &saved),
			dueDate(who.Tenant, notify.Session, id, &d))...)
		if err != nil {
			return err
		}
		p = b.page
		p.Saved = saved
		d.Open = statusOf(b.head.state) == ledger.StatusOpen
		p.Due = d
		if err := b.window(newClaimQuery(q.Filter), max(q.After, -1), max(1, q.Limit)); err != nil {
			return err
		}
		return b.referred(q.After >= 0, q.Sources)
	})
	if err != nil {
		return nil, err
	}
	return p, nil
}

// ClaimPage returns the page of one claim. Prev and Next are the positions of the adjacent claims. The revision of a
// claim, for detecting changes, is the number of its reviews.
func (s *Store) ClaimPage(ctx context.Context, tenant, id string, position int) (*ledger.Page, error) {
	return s.ClaimPageFor(ctx, domain.Actor{Tenant: tenant}, id, position, nil)
}

// ClaimPageFor is ClaimPage for a reader, who also sees their own sealed reviews. It counts what confirming all of the
// list beside the claim would do, which has the filter beside; nil for no list.
func (s *Store) ClaimPageFor(ctx context.Context, who domain.Actor, id string, position int,
	beside *ledger.ClaimFilter) (*ledger.Page, error) {
	var p *ledger.Page
	err := s.read(ctx, "ClaimPage", func(t *tx) error {
		b, err := newPageBuilder(t, who, id)
		if err != nil {
			return err
		}
		p = b.page
		total := p.Overview.Summary.Total
		if position < 0 || position >= total {
			return errNotFound()
		}
		parts := b.claims("FROM claims c WHERE c.tenant_id = ? AND c.session_no = ? AND c.position = ?",
			[]any{b.tenant, b.head.no, position}, "= ?", position)
		if beside != nil {
			parts = append(parts, b.bulk(newClaimQuery(*beside))...)
		}
		if err := t.readParts("", nil, parts...); err != nil {
			return err
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
	if err != nil {
		return nil, err
	}
	return p, nil
}

// pageBuilder reads one page in three statements: the session, its claims with their evidence, and what these refer to.
type pageBuilder struct {
	t      *tx
	tenant string
	who    domain.Actor
	head   *sessionRow
	page   *ledger.Page

	reviews bool         // the reader may review
	policy  *pack.Policy // if so
}

// newPageBuilder reads the session, and more in the same statement.
func newPageBuilder(t *tx, who domain.Actor, id string, more ...part) (*pageBuilder, error) {
	b := &pageBuilder{t: t, tenant: who.Tenant, who: who, reviews: who.Role.AtLeast(access.Least(access.ReviewClaim)),
		policy: pack.DefaultPolicy()}
	if b.reviews {
		more = append(more, policyPart(b.tenant, b.policy))
	}
	h, err := loadSessionRow(t, b.tenant, id, false, more...)
	if err != nil {
		return nil, err
	}
	p := &ledger.Page{Session: &h.session, Documents: h.documents, Runs: h.run + 1, Overview: h.overview,
		State: h.stateFor(who), Newest: h.newest}
	if p.State == ledger.Closed {
		p.Closing = h.closing
	}
	p.Overview.Sealed = nil
	b.head, b.page = h, p
	return b, nil
}

// window reads the claims after after, and finds where the adjacent pages begin.
func (b *pageBuilder) window(q *claimQuery, after, limit int) error {
	p, last := b.page, b.head.overview.Summary.Total-1
	after = min(after, last)
	p.First = after < 0
	if q.impossible() {
		p.First = true
		return b.t.readParts("", nil, append(b.people(), b.bulk(q)...)...)
	}
	p.Session.Claims = make([]ledger.Claim, 0, min(limit, last-after)+1)
	n, counted := ledger.ClaimFilter(*q).Counted(&b.head.overview)
	var parts []part
	var with string
	var args []any
	if ledger.ClaimFilter(*q).Any() {
		w := q.conditions(b.tenant, b.head)
		column, offset := q.order(b.head)
		from := " FROM " + q.tables() + " WHERE " + w.String() + " AND " + column + " BETWEEN ? AND ?"
		between := func(first, last, limit int) []any {
			return append(slices.Clone(w.args), first+offset, last+offset, limit)
		}
		with = "WITH page AS MATERIALIZED (SELECT c.position" + from + " ORDER BY " + column + " LIMIT ?) "
		args = between(after+1, last, limit+1)
		parts = b.claims(`FROM page CROSS JOIN claims c ON c.tenant_id = ? AND c.session_no = ?
			AND c.position = page.position ORDER BY c.position`, []any{b.tenant, b.head.no}, "IN (SELECT position FROM page)")
		if !counted {
			parts = append(parts, newPart(columns{}.and("count(*)"), "FROM (SELECT 1"+from+" LIMIT ?) AS counted",
				between(0, last, MaxMatching), func(r scanner) error { return r.Scan(&n) }))
		}
		if after >= 0 {
			p.First = true
			rows := 0
			parts = append(parts, newPart(columns{}.and("c.position"), from+" ORDER BY "+column+" DESC LIMIT ?",
				between(0, after, limit+1), func(r scanner) error {
					position := 0
					err := r.Scan(&position)
					p.First, p.Prev = false, new(-1)
					if rows++; rows > limit {
						p.Prev = &position
					}
					return err
				}))
		}
	} else {
		parts = b.claims(`FROM claims c WHERE c.tenant_id = ? AND c.session_no = ? AND c.position BETWEEN ? AND ?
			ORDER BY c.position`, []any{b.tenant, b.head.no, after + 1, after + 1 + limit}, "BETWEEN ? AND ?", after+1,
			after+limit)
		if after >= 0 {
			p.Prev = new(max(-1, after-limit))
		}
	}
	if err := b.t.readParts(with, args, append(parts, b.bulk(q)...)...); err != nil {
		return err
	}
	p.Matching = n
	if claims := p.Session.Claims; len(claims) > limit {
		delete(p.Session.Extra, ledger.UpstreamPath(claims[limit].Position))
		delete(p.Session.Extra, ledger.ExplanationPath(claims[limit].Position))
		p.Session.Claims = claims[:limit]
		p.Next = new(claims[limit-1].Position)
	}
	return nil
}

// claimsOnPages are the columns of a page's claims, whose verdicts are found again from their evidence and reviews.
var claimsOnPages = packed("flags, checks, c.position", claimColumns)

// The columns of what is beside them.
var (
	packedMatches   = packed(matchColumns)
	packedCitations = packed(citationColumns)
	packedReviews   = packed(reviewColumns)
	packedSaid      = packed("claim, said")
)

// claims returns the parts of a page that read its claims from a query, and their evidence and reviews, whose claims
// have the positions that which says; the reader's own decisions, and who can be addressed.
func (b *pageBuilder) claims(from string, args []any, which string, more ...any) []part {
	s := b.page.Session
	of := func(table string, c columns, order string, scan func(scanner) error) part {
		return newPart(c, "FROM "+table+" WHERE tenant_id = ? AND session_no = ? AND claim "+which+order,
			append([]any{b.tenant, b.head.no}, more...), scan)
	}
	var d derived
	scan := scanClaims(&s.Claims, []any{&d.flags, &d.checks})
	b.page.Flags = make(map[int][]ledger.RiskType, cap(s.Claims))
	types := map[int][]ledger.RiskType{} // by the stored flags
	parts := []part{newPart(claimsOnPages, from, args, func(r scanner) error {
		err := scan(r)
		if err == nil {
			c := &s.Claims[len(s.Claims)-1]
			if err = d.loadChecks(c); d.flags != 0 {
				if types[d.flags] == nil {
					types[d.flags] = flagTypes(d.flags)
				}
				b.page.Flags[c.Position] = types[d.flags]
			}
		}
		return err
	}),
		of("matches", packedMatches, " ORDER BY claim, rank", scanMatches(s)),
		of("citations", packedCitations, " ORDER BY claim, n", scanCitations(s)),
		of("reviews", packedReviews, " ORDER BY claim, n", scanReviews(s))}
	if len(s.Imports) > 0 {
		parts = append(parts, of("imported_reviews", packedSaid, " ORDER BY claim", scanImported(s)))
	}
	if b.head.said {
		parts = append(parts, of("upstream", packedSaid, " ORDER BY claim", b.scanSaid()))
	}
	if s.Second != ledger.OneReviewer && b.who.ID != "" {
		parts = append(parts, b.own())
	}
	return append(parts, b.people()...)
}

// referred reads what the page's claims refer to, and the part of the answer. follow says whether that starts at the
// claims.
func (b *pageBuilder) referred(follow, listed bool) error {
	s := b.page.Session
	s.HideSealed(b.who.ID)
	documents, refs := references(s.Claims)
	list, args := inList(documents)
	pairs, pairArgs := inPairs(refs)
	of := []any{b.tenant, b.head.no}
	s.Documents = slices.Grow(s.Documents, min(b.page.Documents, listedDocuments+len(documents)))
	var d ledger.Document
	fields := documentFields(&d)
	document := func(r scanner) error {
		d = ledger.Document{}
		err := r.Scan(fields...)
		s.Documents = append(s.Documents, d)
		return err
	}
	const ofSession = " WHERE tenant_id = ? AND session_no = ? AND "
	parts := []part{
		newPart(packedDocuments, "FROM documents"+ofSession+"position < ? ORDER BY position",
			append(of[:2:2], listedDocuments), document),
		newPart(packedDocuments, "FROM documents"+ofSession+"position >= ? AND position IN "+list+" ORDER BY position",
			append(append(of[:2:2], listedDocuments), args...), document),
		newPart(packedChunks, "FROM chunks"+ofSession+"(document, position) IN "+pairs+" ORDER BY document, position",
			append(of[:2:2], pairArgs...), scanChunks(s)),
	}
	parts = append(parts, b.answer(follow)...)
	parts = append(parts, b.mentions()...)
	if listed {
		parts = append(parts, b.passages()...)
	}
	return b.t.readParts("", nil, parts...)
}

// own counts the claims that the reader has decided in a double review; the summary counts only those that both have.
func (b *pageBuilder) own() part {
	return newPart(columns{}.and("count(DISTINCT r.claim)"), `FROM reviews r JOIN claims c ON c.tenant_id = r.tenant_id
		AND c.session_no = r.session_no
		AND c.position = r.claim
		WHERE r.tenant_id = ? AND r.session_no = ? AND `+ownDecision, []any{b.tenant, b.head.no, b.who.ID},
		func(r scanner) error { return r.Scan(&b.page.Own) })
}

// bulk counts what confirming the claims that pass a filter would do.
func (b *pageBuilder) bulk(q *claimQuery) []part {
	s := b.page.Session
	if !b.reviews || MaySeeSealed(s, b.who) {
		return nil
	}
	out := &ledger.Confirmable{Session: s, ByVerdict: map[ledger.Verdict]int{}, All: b.policy.BulkConfirmsAll}
	b.page.Bulk = out
	switch {
	case b.page.Overview.Summary.Total > ledger.MaxBulk:
		out.Count = -1
		return nil
	case q.impossible():
		return nil
	}
	return []part{countConfirmable(b.who, q, q.within(b.tenant, b.head), spareCondition(b.policy), out)}
}

// MaySeeSealed reports whether somebody cannot confirm claims of a session: in a blind one reviews are sealed, and this
// person may read the audit log, where each stands.
func MaySeeSealed(session *ledger.Session, who domain.Actor) bool {
	return session.Second == ledger.SecondBlind && who.Role.AtLeast(access.Least(access.ReadAudit))
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
