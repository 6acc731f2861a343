insert into place (continent, country, region, city)
values (@continent, @country, @region, @city)
returning id
