insert into campaign (source, medium, campaign, term, content)
values (@source, @medium, @campaign, @term, @content)
returning id
