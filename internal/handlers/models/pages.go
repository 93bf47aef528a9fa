package models

import (
	"errors"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain"
	"sanad/internal/domain/model"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/web/limits"
	modelsviews "sanad/internal/views/models"
	"sanad/internal/views/ui"
)

// listModels shows the tenant's endpoints.
func (s *server) listModels(c echo.Context) error {
	form := modelsviews.NewForm()
	if typed := s.Typed(c); typed.Values != nil {
		form = typedAgain(typed)
	}
	return s.listPage(c, http.StatusOK, form)
}

func (s *server) listPage(c echo.Context, status int, form modelsviews.Form) error {
	rows, err := s.Store.ModelEndpoints(c.Request().Context(), s.Who(c).Tenant)
	if err != nil {
		return err
	}
	reviews, err := s.Store.ModelReviews(c.Request().Context(), s.Who(c).Tenant)
	if err != nil {
		return err
	}
	form.Confirm = s.ConfirmFirst(c)
	p := modelsviews.NewListPage(s.Chrome(c), rows, form, s.try.Example())
	p.AddTrust(rows, web.Map(rows, func(e model.Endpoint) model.Measured { return reviews.Measured(&e) }))
	return s.Render(c, status, modelsviews.List(p))
}

// addModel adds an endpoint.
func (s *server) addModel(c echo.Context) error {
	form, key := typedForm(c.Request().PostForm)
	e := model.Endpoint{}
	err := apply(&form, &e)
	if err == nil {
		err = s.reaches("", &e)
	}
	if err == nil {
		e, err = s.Store.AddModelEndpoint(c.Request().Context(), s.Who(c), e, key)
	}
	if form.Fault = formFault(err); form.Fault != nil {
		withoutSecrets(&form)
		return s.listPage(c, web.FaultOf(err).Status, form)
	}
	if err != nil {
		return err
	}
	return web.SeeOther(c, "/admin/models/"+e.ID+"?done=added")
}

// formFault returns what is wrong with the form, nil if the error is not about it.
func formFault(err error) *ui.FormFault {
	f := web.FormFault(err, "", map[domain.Kind]string{domain.Conflict: "model_conflict"})
	if e := web.AsError(err); f != nil && f.Field != "" && ui.FormWord(e) == "" {
		f.Word, f.Args = "model_"+f.Field, nil
	}
	return f
}

// withoutSecrets takes the secrets out of an address that was refused for them, as the message says.
func withoutSecrets(f *modelsviews.Form) {
	if f.Fault.Word == "model_url_secret" || f.Fault.Word == "model_url_user" {
		f.URL = model.Without(f.URL)
	}
}

// showModel shows one endpoint.
func (s *server) showModel(c echo.Context) error {
	if typed := s.Typed(c); typed.Has("kind") { // of the form, not of a button
		form := typedAgain(typed)
		return s.modelPage(c, http.StatusOK, modelsviews.PageInput{}, &form)
	}
	return s.modelPage(c, http.StatusOK, modelsviews.PageInput{}, nil)
}

// modelPage shows one endpoint; form is what was typed, nil for the endpoint as it is.
func (s *server) modelPage(c echo.Context, status int, in modelsviews.PageInput, form *modelsviews.Form) error {
	ctx, tenant := c.Request().Context(), s.Who(c).Tenant
	var err error
	if in.Endpoint, err = s.Store.ModelEndpoint(ctx, tenant, c.Param("id")); err != nil {
		return err
	}
	e := &in.Endpoint
	if in.Today, err = s.Store.ModelSpending(ctx, tenant, e.ID, s.Now()); err != nil {
		return err
	}
	if in.Trust, err = s.trustOf(ctx, tenant, e); err != nil {
		return err
	}
	names, err := s.Store.ActorNames(ctx, tenant, []string{e.CreatedBy})
	if err != nil {
		return err
	}
	in.By, in.CanTry, in.Example = names[e.CreatedBy], s.try.Try != nil, s.try.Example()
	if in.Form = modelsviews.FormOf(e); form != nil {
		in.Form = *form
	}
	in.Form.Confirm = s.ConfirmFirst(c)
	return s.Render(c, status, modelsviews.Show(modelsviews.NewPage(s.Chrome(c), in)))
}

// seenRevision reads the revision that a form was made from.
func seenRevision(c echo.Context) (int, error) {
	n, err := strconv.Atoi(c.FormValue("revision"))
	if err != nil || n < 0 {
		return 0, web.WithStatus(http.StatusBadRequest,
			domain.Refuse(domain.Invalid, "revision", "refused_form_lacks_revision"))
	}
	return n, nil
}

// changeModel changes an endpoint. A key that is left empty stays as it is.
func (s *server) changeModel(c echo.Context) error {
	seen, err := seenRevision(c)
	if err != nil {
		return err
	}
	form, typed := typedForm(c.Request().PostForm)
	var key *string
	if typed != "" || form.NoKey {
		key = &typed
	}
	_, err = s.Store.ChangeModelEndpoint(c.Request().Context(), s.Who(c), c.Param("id"), seen, key,
		func(e *model.Endpoint) error {
			was := e.URL
			if err := apply(&form, e); err != nil {
				return err
			}
			return s.reaches(was, e)
		})
	if form.Fault = formFault(err); form.Fault != nil {
		withoutSecrets(&form)
		return s.modelPage(c, web.FaultOf(err).Status, modelsviews.PageInput{}, &form)
	}
	if err != nil {
		return err
	}
	return web.SeeOther(c, "/admin/models/"+c.Param("id")+"?done=saved")
}

// testModel asks the endpoint one fixed question and shows what came.
func (s *server) testModel(c echo.Context) error {
	_, tried, err := s.tryModel(c)
	if errors.Is(err, errTries) {
		return s.modelPage(c, http.StatusTooManyRequests, modelsviews.PageInput{ActionWord: "model_tries"}, nil)
	}
	if err != nil {
		return err
	}
	return s.modelPage(c, http.StatusOK, modelsviews.PageInput{Tried: &tried}, nil)
}

// tryModel asks the endpoint that the path names, also a disabled one: who has mended it tests it before enabling it.
func (s *server) tryModel(c echo.Context) (model.Endpoint, model.Tried, error) {
	ctx, tenant := c.Request().Context(), s.Who(c).Tenant
	e, key, err := s.Store.OpenModelEndpoint(ctx, tenant, c.Param("id"))
	if err != nil {
		return e, model.Tried{}, err
	}
	if s.try.Try == nil {
		return e, model.Tried{Model: e.Model, Fault: "untried"}, nil
	}
	if wait := s.mayTry(tenant); wait > 0 {
		return e, model.Tried{}, web.WithStatus(limits.TooMany(c, wait), errTries)
	}
	return e, s.try.Try(ctx, e, key), nil
}

// enableModel lets sessions be judged by an endpoint again.
func (s *server) enableModel(c echo.Context) error { return s.switchModel(c, true, "enabled") }

// disableModel keeps an endpoint from being asked.
func (s *server) disableModel(c echo.Context) error { return s.switchModel(c, false, "disabled") }

func (s *server) switchModel(c echo.Context, on bool, done string) error {
	return s.act(c, done, func(seen int) error {
		_, err := s.Store.ChangeModelEndpoint(c.Request().Context(), s.Who(c), c.Param("id"), seen, nil,
			func(e *model.Endpoint) error {
				e.Enabled = on
				return nil
			})
		return err
	})
}

// removeModel deletes an endpoint.
func (s *server) removeModel(c echo.Context) error {
	return s.act(c, "removed", func(seen int) error {
		return s.Store.RemoveModelEndpoint(c.Request().Context(), s.Who(c), c.Param("id"), seen)
	})
}

// act does what a button of an endpoint's page says, at the revision that it was shown with.
func (s *server) act(c echo.Context, done string, do func(seen int) error) error {
	if err := web.ParseForm(c, web.MaxSmallForm); err != nil {
		return err
	}
	seen, err := seenRevision(c)
	if err == nil {
		err = do(seen)
	}
	if domain.KindOf(err) == domain.Conflict {
		return s.modelPage(c, http.StatusConflict, modelsviews.PageInput{ActionWord: "model_conflict"}, nil)
	}
	if err != nil {
		return err
	}
	to := "/admin/models"
	if done != "removed" {
		to += "/" + c.Param("id")
	}
	return web.SeeOther(c, to+"?done="+done)
}
