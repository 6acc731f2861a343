-- The title that the CMS has pushed is the page's.
update page
set title_id = (select c.title_id from cms_page c where c.page_id = page.id)
where path = @page
  and exists (select 1 from cms_page c where c.page_id = page.id and c.title_id is not null)
