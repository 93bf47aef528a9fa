package search

import (
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain/agreement"
	"sanad/internal/domain/ledger"
	"sanad/internal/handlers/web"
	searchviews "sanad/internal/views/search"
)

// modelsPerPage is how many models a page shows.
const modelsPerPage = 20

// showModels shows which model is wrong how often, on what. Unknown values of its parameters are ignored.
func (s *server) showModels(c echo.Context) error {
	days, _ := period(c)
	after, err := web.NumberAfter(c)
	if err != nil {
		return err
	}
	r, err := s.Store.ModelFigures(c.Request().Context(), s.Who(c).Tenant, s.Now(), days)
	if err != nil {
		return err
	}
	in := searchviews.ModelsInput{ModelReport: r, Days: days, Periods: periods, After: after}
	in.Page, in.Next = r.Page(after, modelsPerPage)
	return s.Render(c, http.StatusOK, searchviews.Models(searchviews.NewModelsPage(s.Chrome(c), in)))
}

// apiReviewedModel is how the claims of a model's answers fared.
type apiReviewedModel struct {
	Provider *string              `json:"provider"`
	Model    *string              `json:"model"`
	Version  *string              `json:"model_version"`
	Sessions int                  `json:"sessions"`
	All      apiClaimFigures      `json:"all"`
	ByType   []apiTypeFigures     `json:"by_type"`
	ByLang   []apiLanguageFigures `json:"by_language"`
	Of       apiCountedOver       `json:"counted"`
}

// apiCountedOver says what the figures were counted over.
type apiCountedOver struct {
	Since    string `json:"since"`
	Sessions int    `json:"sessions"`
	More     bool   `json:"more"`
}

type apiTypeFigures struct {
	Type ledger.ClaimType `json:"claim_type"`
	apiClaimFigures
}

type apiLanguageFigures struct {
	Lang string `json:"language"`
	apiClaimFigures
}

type apiClaimFigures struct {
	Claims       int           `json:"claims"`
	Supported    int           `json:"supported"`
	Weak         int           `json:"weak"`
	Contradicted int           `json:"contradicted"`
	NotFound     int           `json:"not_found"`
	Unjudged     int           `json:"unjudged"`
	Wrong        apiClaimShare `json:"wrong"`
	ByPeople     apiClaimShare `json:"wrong_by_people"`
	Overridden   apiClaimShare `json:"overridden"`
}

// apiClaimShare is a count of a whole with the bounds of its share.
type apiClaimShare struct {
	Part int     `json:"claims"`
	Of   int     `json:"of"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

func newAPIClaimShare(s agreement.Share) apiClaimShare {
	out := apiClaimShare{Part: s.Part, Of: s.Of}
	out.Low, out.High = s.Interval()
	return out
}

func newAPIClaimFigures(f *agreement.Figures) apiClaimFigures {
	return apiClaimFigures{Claims: f.Claims, Supported: f.ByVerdict[ledger.Supported], Weak: f.ByVerdict[ledger.Weak],
		Contradicted: f.ByVerdict[ledger.Contradicted], NotFound: f.ByVerdict[ledger.NotFound], Unjudged: f.Unjudged,
		Wrong: newAPIClaimShare(f.Wrong()), ByPeople: newAPIClaimShare(f.WrongByPeople()), Overridden: newAPIClaimShare(f.Overrides())}
}

// apiListModels lists the models whose answers are reviewed, with how their claims fared.
func (s *server) apiListModels(c echo.Context) error {
	days, known := period(c)
	if !known {
		return web.InvalidChoice("days", web.Map(periods, strconv.Itoa))
	}
	limit, err := web.ListLimit(c)
	if err != nil {
		return err
	}
	after, err := web.NumberAfter(c)
	if err != nil {
		return err
	}
	r, err := s.Store.ModelFigures(c.Request().Context(), s.Who(c).Tenant, s.Now(), days)
	if err != nil {
		return err
	}
	page, next := r.Page(after, limit)
	of := apiCountedOver{Since: r.Since.Format(time.DateOnly), Sessions: r.Sessions, More: r.More}
	rows := web.Map(page, func(m agreement.ModelFigures) apiReviewedModel {
		return apiReviewedModel{Provider: web.OrNull(m.Provider), Model: web.OrNull(m.Name), Version: web.OrNull(m.Version),
			Sessions: m.Sessions, All: newAPIClaimFigures(&m.All), Of: of,
			ByType: web.Map(m.ByType, func(x agreement.NamedFigures) apiTypeFigures {
				return apiTypeFigures{ledger.ClaimType(x.Name), newAPIClaimFigures(&x.Figures)}
			}),
			ByLang: web.Map(m.ByLang, func(x agreement.NamedFigures) apiLanguageFigures {
				return apiLanguageFigures{x.Name, newAPIClaimFigures(&x.Figures)}
			})}
	})
	return web.SendPage(c, "models", rows, nextOf(next))
}

func nextOf(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}
