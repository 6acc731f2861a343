-- name: utm-value.find
-- The first spelling of a UTM value.
select text
from utm_value
where name = @name
  and folded = @folded

-- name: utm-value.add
insert into utm_value (name, folded, text)
values (@name, @folded, @text)
returning text

-- name: label.find
-- The id of a text.
select id
from label
where hash = text_hash(@text)
  and text = @text

-- name: label.add
insert into label (text, hash)
values (@text, text_hash(@text))
returning id

-- name: host.find
-- The id of a host.
select id
from host
where name = @name

-- name: host.add
insert into host (name)
values (@name)
returning id

-- name: page.find
-- The id of a page.
select id
from page
where path = @path
  and host_id = @host_id

-- name: page.add
insert into page (path, host_id)
values (@path, @host_id)
returning id

-- name: page.adopt
-- A page that the CMS has described without its host becomes that of the first host with a view of it.
update page
set host_id = @host_id
where path = @path
  and host_id = 0

-- name: origin.find
-- The id of a session's origin; the expression is that of the index.
select id
from origin
where channel = @channel
  and source = @source
  and ifnull(domain, '') = ifnull(@domain, '')

-- name: origin.add
insert into origin (channel, source, domain)
values (@channel, @source, @domain)
returning id

-- name: campaign.find
-- The id of a set of UTM values; the expressions are those of the index.
select id
from campaign
where ifnull(source, '') = ifnull(@source, '')
  and ifnull(medium, '') = ifnull(@medium, '')
  and ifnull(campaign, '') = ifnull(@campaign, '')
  and ifnull(term, '') = ifnull(@term, '')
  and ifnull(content, '') = ifnull(@content, '')

-- name: campaign.add
insert into campaign (source, medium, campaign, term, content)
values (@source, @medium, @campaign, @term, @content)
returning id

-- name: place.find
-- The id of a place; the expressions are those of the index.
select id
from place
where ifnull(continent, '') = ifnull(@continent, '')
  and ifnull(country, '') = ifnull(@country, '')
  and ifnull(region, '') = ifnull(@region, '')
  and ifnull(city, '') = ifnull(@city, '')

-- name: place.add
insert into place (continent, country, region, city)
values (@continent, @country, @region, @city)
returning id

-- name: client.find
-- The id of a combination of device, browser and operating system; the expressions are those of the index.
select id
from client
where device = @device
  and ifnull(browser, '') = ifnull(@browser, '')
  and ifnull(browser_version, '') = ifnull(@browser_version, '')
  and ifnull(os, '') = ifnull(@os, '')
  and ifnull(os_version, '') = ifnull(@os_version, '')

-- name: client.add
insert into client (device, browser, browser_version, os, os_version)
values (@device, @browser, @browser_version, @os, @os_version)
returning id

-- name: origin.find-domain
-- An origin with this referrer domain.
select id
from origin
where domain = @domain
limit 1
