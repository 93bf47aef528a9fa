package db

import (
	"context"
	"slices"

	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
)

// LedgerPage returns up to limit claims of a session that pass f, after position after (-1 for the first), without
// sealed reviews.
func (s *Store) LedgerPage(ctx context.Context, tenant, id string, f ledger.ClaimFilter,
	after, limit int) (*ledger.Page, error) {
	return s.LedgerPageFor(ctx, domain.Actor{Tenant: tenant}, id, f, after, limit)
}

// LedgerPageFor is LedgerPage for a reader, who also sees their own sealed reviews.
func (s *Store) LedgerPageFor(ctx context.Context, who domain.Actor, id string, f ledger.ClaimFilter,
	after, limit int) (*ledger.Page, error) {
	var p *ledger.Page
	tenant := who.Tenant
	q := newClaimQuery(f)
	err := s.read(ctx, "LedgerPage", func(t *tx) error {
		h, err := loadSessionRow(t, tenant, id, false)
		if err != nil {
			return err
		}
		b := newPageBuilder(t, who, h)
		p = b.page
		return t.together(func(t *tx) error {
			b := b.in(t)
			if q.impossible() {
				p.First = true
			} else if err := b.window(q, max(after, -1), max(1, limit)); err != nil {
				return err
			}
			return b.fill(after >= 0)
		}, func(t *tx) error { return b.in(t).passages() })
	})
	if err != nil {
		return nil, err
	}
	return p, nil
}

// ClaimPage returns the page of one claim. Prev and Next are the positions of the adjacent claims. The revision of a
// claim, for detecting changes, is the number of its reviews.
func (s *Store) ClaimPage(ctx context.Context, tenant, id string, position int) (*ledger.Page, error) {
	return s.ClaimPageFor(ctx, domain.Actor{Tenant: tenant}, id, position)
}

// ClaimPageFor is ClaimPage for a reader, who also sees their own sealed reviews.
func (s *Store) ClaimPageFor(ctx context.Context, who domain.Actor, id string, position int) (*ledger.Page, error) {
	var p *ledger.Page
	tenant := who.Tenant
	err := s.read(ctx, "ClaimPage", func(t *tx) error {
		h, err := loadSessionRow(t, tenant, id, false)
		if err != nil {
			return err
		}
		total := h.overview.Summary.Total
		if position < 0 || position >= total {
			return errNotFound()
		}
		b := newPageBuilder(t, who, h)
		p = b.page
		if err := b.claims("FROM claims c WHERE c.tenant_id = ? AND c.session_no = ? AND c.position = ?", tenant, h.no,
			position); err != nil {
			return err
		}
		p.First, p.Matching = position == 0, total
		if position > 0 {
			p.Prev = new(position - 1)
		}
		if position < total-1 {
			p.Next = new(position + 1)
		}
		return b.fill(true)
	})
	if err != nil {
		return nil, err
	}
	return p, nil
}

// pageBuilder reads one page.
type pageBuilder struct {
	t      *tx
	tenant string
	reader string // id of the reader, "" if anonymous
	head   *sessionRow
	page   *ledger.Page

	reviews bool // the reader may review
}

func newPageBuilder(t *tx, who domain.Actor, h *sessionRow) *pageBuilder {
	p := &ledger.Page{Session: &h.session, Documents: h.documents, Runs: h.run + 1, Overview: h.overview,
		State: h.stateFor(who), Newest: h.newest}
	if p.State == ledger.Closed {
		p.Closing = h.closing
	}
	p.Overview.Sealed = nil
	return &pageBuilder{t: t, tenant: who.Tenant, reader: who.ID, head: h, page: p,
		reviews: who.Role.AtLeast(access.Least(access.ReviewClaim))}
}

// in returns the builder of the same page for a function that together runs.
func (b *pageBuilder) in(t *tx) *pageBuilder {
	own := *b
	own.t = t
	return &own
}

// window reads the claims after after, and finds where the adjacent pages begin.
func (b *pageBuilder) window(q *claimQuery, after, limit int) error {
	p, w := b.page, q.conditions(b.tenant, b.head)
	column, offset := q.order(b.head)
	last := b.head.overview.Summary.Total - 1
	after = min(after, last)
	from := " FROM " + q.tables() + " WHERE " + w.String() + " AND " + column + " BETWEEN ? AND ?"
	between := func(first, last, limit int) []any {
		return append(slices.Clone(w.args), first+offset, last+offset, limit)
	}

	var before []int
	n, counted := ledger.ClaimFilter(*q).Counted(&b.head.overview)
	err := b.t.together(func(t *tx) error {
		return b.in(t).claims(from+" ORDER BY "+column+" LIMIT ?", between(after+1, last, limit+1)...)
	}, func(t *tx) (err error) {
		before, err = collect(t, "SELECT c.position"+from+" ORDER BY "+column+" DESC LIMIT ?",
			between(0, after, limit+1),
			func(r scanner, position *int) error { return r.Scan(position) })
		return err
	}, func(t *tx) error {
		if counted {
			return nil
		}
		return t.row("SELECT count(*) FROM (SELECT 1"+from+" LIMIT ?) AS counted", between(0, last, MaxMatching), &n)
	})
	if err != nil {
		return err
	}
	p.Matching = n
	if claims := p.Session.Claims; len(claims) > limit {
		delete(p.Session.Extra, ledger.UpstreamPath(claims[limit].Position))
		delete(p.Session.Extra, ledger.ExplanationPath(claims[limit].Position))
		p.Session.Claims = claims[:limit]
		p.Next = new(claims[limit-1].Position)
	}
	// The previous page ends at after and begins limit claims earlier; one more row shows whether it is the first.
	p.First = len(before) == 0
	if len(before) > limit {
		p.Prev = new(before[limit])
	} else if !p.First {
		p.Prev = new(-1)
	}
	return nil
}

// claims reads the page's claims and their flags.
func (b *pageBuilder) claims(from string, args ...any) error {
	claims, values, err := loadClaims(b.t, b.said(), from, args...)
	if err != nil {
		return err
	}
	b.page.Session.Claims = claims
	b.page.Flags = make(map[int][]ledger.RiskType, len(claims))
	for i := range claims {
		if values[i].flags != 0 {
			b.page.Flags[claims[i].Position] = flagTypes(values[i].flags)
		}
	}
	return nil
}

// fill reads what the page's claims refer to. follow says whether the shown part of the answer starts at the claims.
func (b *pageBuilder) fill(follow bool) error {
	s := b.page.Session
	positions := make([]any, len(s.Claims))
	for i := range s.Claims {
		positions[i] = s.Claims[i].Position
	}
	list, args := inList(positions)
	return b.t.together(func(t *tx) error { return b.in(t).answer(follow) },
		func(t *tx) error { return b.in(t).people() },
		func(t *tx) error { return b.in(t).own() },
		func(t *tx) error {
			if err := loadEvidence(t, s, b.tenant, b.head.no, "AND claim IN "+list, args...); err != nil {
				return err
			}
			return t.together(func(t *tx) error { return b.in(t).mentions(list, args) },
				func(t *tx) error { return b.in(t).documents() })
		})
}

// documents reads the documents and chunks that the claims refer to, after their evidence.
func (b *pageBuilder) documents() error {
	s := b.page.Session
	s.HideSealed(b.reader)
	documents, refs := references(s.Claims)
	list, args := inPairs(refs)
	return b.t.together(func(t *tx) (err error) {
		s.Documents, err = loadListed(t, b.tenant, b.head.no, documents)
		return err
	}, func(t *tx) error { // whose rows are read after those of the documents
		return loadChunks(t, s, b.tenant, b.head.no, "AND (document, position) IN "+list, args...)
	})
}

// own counts the claims that the reader has decided in a double review; the summary counts only those that both have.
func (b *pageBuilder) own() error {
	if b.page.Session.Second == ledger.OneReviewer || b.reader == "" {
		return nil
	}
	return b.t.row(`SELECT count(DISTINCT r.claim) FROM reviews r JOIN claims c ON c.tenant_id = r.tenant_id
		AND c.session_no = r.session_no
		AND c.position = r.claim
		WHERE r.tenant_id = ? AND r.session_no = ? AND `+ownDecision,
		[]any{b.tenant, b.head.no, b.reader}, &b.page.Own)
}

// references returns the documents that the claims match, and the chunks as document, chunk, document, chunk
// …, without duplicates.
func references(claims []ledger.Claim) (documents, chunks []any) {
	seen, seenDocuments := map[ledger.ChunkRef]bool{}, map[int]bool{}
	for i := range claims {
		for _, ref := range claims[i].References() {
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
