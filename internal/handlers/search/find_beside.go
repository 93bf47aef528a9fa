package search

import (
	"github.com/labstack/echo/v4"

	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/pack"
	"sanad/internal/domain/text"
	"sanad/internal/handlers/web"
	searchviews "sanad/internal/views/search"
)

// mostNames is how many people of a tenant a search looks through.
const mostNames = 2000

// beside finds packs, decisions that lack a pack and, for those who manage them, people. Filters of texts leave them out.
func (s *server) beside(c echo.Context, in *searchviews.FindInput) error {
	in.Packs, in.Decisions, in.People = nil, nil, nil
	if !in.Asked || in.Verdict != "" || in.Unjudged || in.State != "" || !in.From.IsZero() || !in.To.IsZero() {
		return nil
	}
	ctx, tenant := c.Request().Context(), s.Who(c).Tenant
	packs, next, err := s.Store.Packs(ctx, tenant, pack.Query{Text: in.Text, Near: in.Near, Limit: foundPerGroup})
	if err != nil {
		return err
	}
	may := s.readablePack(c)
	for i := range packs {
		ok, err := may(packs[i].PackID, packs[i].SessionID)
		if err != nil {
			return err
		}
		if ok {
			in.Packs = append(in.Packs, packs[i])
		}
	}
	in.MorePacks = next != ""
	decisions, _, err := s.Store.Decisions(ctx, tenant,
		pack.DecisionQuery{Text: in.Text, Near: in.Near, Missing: true, Limit: foundPerGroup})
	if err != nil {
		return err
	}
	for i := range decisions {
		if err := s.MayReadLedger(c, decisions[i].SessionID); domain.KindOf(err) == domain.NotFound {
			continue
		} else if err != nil {
			return err
		}
		in.Decisions = append(in.Decisions, decisions[i])
	}
	return s.people(c, in)
}

// readablePack returns a function that reports whether the reader may read a pack and the ledger copied into it.
func (s *server) readablePack(c echo.Context) func(packID, sessionID string) (bool, error) {
	return func(packID, sessionID string) (bool, error) {
		ok, err := s.May(c, access.ReadPack, access.Object{Kind: web.EvidencePack, ID: packID})
		if err != nil || !ok {
			return false, err
		}
		err = s.MayReadLedger(c, sessionID)
		if domain.KindOf(err) == domain.NotFound {
			return false, nil
		}
		return err == nil, err
	}
}

// people finds members by name, for those who may manage them.
func (s *server) people(c echo.Context, in *searchviews.FindInput) error {
	tenant := s.Who(c).Tenant
	may, err := s.May(c, access.ManageUsers, access.Object{Kind: "tenant", ID: tenant})
	if err != nil || !may {
		return err
	}
	names, err := s.Store.MemberNames(c.Request().Context(), tenant, mostNames)
	if err != nil {
		return err
	}
	least, called := text.BeginsWords, text.NewNaming(in.Text)
	if in.Near == text.NearWords {
		least = text.OneLetterOff
	}
	for _, n := range names {
		if len(in.People) < foundPerGroup && called.Like(n.Name) >= least {
			in.People = append(in.People, n)
		}
	}
	return nil
}
